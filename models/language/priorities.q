// Before two units there is no alarm, so that data get through ...
/* EXPECT:T */
E<> data == 2 && alarms == 0
// ... but where both can be sent, the alarm goes first.
/* EXPECT:F */
E<> late
/* EXPECT:T */
E<> Source.Done
/* EXPECT:T */
A[] Guest.Served imply Clerk.Served
/* EXPECT:F */
E<> Guest.Served && Clerk.Waiting
