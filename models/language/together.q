/* EXPECT:T */
E<> height == 3
/* EXPECT:T */
A[] Tourist.Tired imply height > 0
