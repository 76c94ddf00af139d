/* EXPECT:T */
A[] forall (i : node_t) forall (j : node_t) i != j && has[i] && has[j] imply colour[i] != colour[j]
/* EXPECT:T */
E<> exists (i : node_t) Node(i).Late
/* EXPECT:F */
E<> forall (i : node_t) Node(i).Coloured
// There are two colours for three nodes.
/* EXPECT:F */
A[] not deadlock
/* EXPECT:T */
A<> coloured == 2
