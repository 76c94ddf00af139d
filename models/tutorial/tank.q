// The tank never overflows.
/* EXPECT:F */
A[] not Tank.Overflow

// The upper mark can be reached at all.
/* EXPECT:T */
E<> Tank.High

// Whenever the water is at the mark, the valve gets closed.
/* EXPECT:T */
Tank.High --> Valve.Closed
