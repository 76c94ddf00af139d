/* EXPECT:T */
E<> Machine.Done && waited == 0
/* EXPECT:T */
E<> Machine.Done && waited >= 2
/* EXPECT:F */
E<> Machine.Done && waited > 0 && waited < 2
/* EXPECT:T */
A[] Machine.Done imply washed == 5
/* EXPECT:T */
A[] Machine.Paused imply washed <= 5
