/* EXPECT:T */
E<> Lock.Open
/* EXPECT:T */
A[] Lock.Open imply right == 3
/* EXPECT:F */
A[] Lock.Shut
/* EXPECT:T */
E<> Lock.Shut && noise == 2 && right == 0
// The user may press the wrong button for ever.
/* EXPECT:F */
A<> Lock.Open
/* EXPECT:T */
A[] not deadlock
