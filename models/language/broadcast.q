// Who sleeps too deep does not hear the bell.
/* EXPECT:T */
E<> Ringer.Rung && up == 0
/* EXPECT:T */
E<> Ringer.Rung && Sleeper(0).Up && Sleeper(1).Bed
/* EXPECT:F */
E<> Ringer.Rung && Sleeper(1).Up && Sleeper(0).Bed
/* EXPECT:T */
A[] Ringer.Alarm imply up == 2
// An alarm does not wait.
/* EXPECT:T */
A[] fire && Ringer.Quiet imply x >= 9
/* EXPECT:T */
A[] Ringer.Rung && !Sleeper(0).Answers && !Sleeper(1).Answers imply Host.heard == up
