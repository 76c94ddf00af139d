// The count is the number of slots in use.
/* EXPECT:T */
A[] box.count == (sum (i : slot_t) box.slots[i].used)
// What is not used is empty.
/* EXPECT:T */
A[] forall (i : slot_t) !box.slots[i].used imply box.slots[i].value == 0
// The largest message is taken first.
/* EXPECT:T */
E<> is_full() && Reader.last == 4
/* EXPECT:F */
E<> box.count == 1 && exists (i : slot_t) box.slots[i].value > 4
/* EXPECT:T */
A[] not deadlock
