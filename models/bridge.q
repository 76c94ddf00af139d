// The fastest way takes 60 time units ...
/* EXPECT:T */
E<> (forall (p : person_t) Person(p).There) && now <= 60

// ... and there is none faster.
/* EXPECT:F */
E<> (forall (p : person_t) Person(p).There) && now < 60

// No one is on the bridge without the torch.
/* EXPECT:T */
A[] Torch.Lying imply (forall (p : person_t) Person(p).Here || Person(p).There)

// At most two are on the bridge.
/* EXPECT:T */
A[] (sum (p : person_t) (Person(p).Going || Person(p).Returning)) <= 2
