// No frame misses its deadline.
/* EXPECT:F */
A[] !late

// A frame can be released while the one before it is still at work.
/* EXPECT:T */
E<> Frame(0).Busy && Frame(1).Pending
