// The first task always meets its deadline.
/* EXPECT:F */
A[] !late

// It can wait for the lock while another task than the owner of the lock runs.
/* EXPECT:T */
E<> Task(0).Blocked && owner == 5 && runs(3)
