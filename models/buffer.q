// The buffer can be full ...
/* EXPECT:T */
E<> length == CAPACITY

// ... before it was empty, and nothing happens after that.
/* EXPECT:T */
A[] length == CAPACITY imply deadlock
