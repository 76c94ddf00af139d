/* EXPECT:4 */
sup{Job.Wait}: total
/* EXPECT:5 */
inf{Job.Work}: level
/* EXPECT:9 */
sup: level
/* EXPECT:T */
E<> Job.End && total <= 7
/* EXPECT:F */
E<> Job.End && total <= 6
/* EXPECT:T */
A[] Job.Work imply level >= 5
