/* EXPECT:F */
E<> P.a and not (x - y < 3) \
  or forall (i : int[0, 3]) a[i] == 1
sup{a}: x, y
