/* EXPECT:T */
A<> Must.B
// Nothing makes this one leave.
/* EXPECT:F */
A<> May.B
/* EXPECT:T */
E[] May.A
/* EXPECT:F */
E[] Must.A
/* EXPECT:F */
Retry.Failed --> Retry.Done
/* EXPECT:T */
Must.A --> Must.B
/* EXPECT:F */
May.A --> May.B
/* EXPECT:T */
E<> Retry.Done && tries == 2
