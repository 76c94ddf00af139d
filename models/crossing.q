// The gate is closed whenever the train is on the crossing.
A[] Express.Crossing imply Gate.Closed

// A train can come before the gate is open again.
E<> Express.Near and Gate.Raising

// The train is never stopped.
Express.Near --> Express.Crossing
