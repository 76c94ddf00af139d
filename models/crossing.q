// The gate is closed whenever the train is on the crossing.
/* EXPECT:T */
A[] Express.Crossing imply Gate.Closed

// A train can come before the gate is open again.
/* EXPECT:T */
E<> Express.Near and Gate.Raising

// The train is never stopped.
/* EXPECT:T */
Express.Near --> Express.Crossing
