---------------------------- MODULE LockDocument ----------------------------
(***************************************************************************)
(* The rule by which a lock is given: LockDocument.java and                *)
(* acquire-lock.painless. A lock document is one atomic value; each        *)
(* operator is one scripted update of it.                                  *)
(*                                                                         *)
(* A request is a number, and a smaller one is the older one. A hold id is *)
(* <<request, n>>. A hold is <<hold id, mode>>, a claim <<request, mode>>. *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

NoHold == <<0, 0>>
Nobody == [holds |-> {}, claims |-> {}]

Compatible(mode, other) == mode = "shared" /\ other = "shared"

IsHeldBy(lock, id) == \E held \in lock.holds : held[1] = id

HoldsAgainst(lock, id, mode) ==
  {held \in lock.holds : held[1] # id /\ ~Compatible(held[2], mode)}
ClaimsAgainst(lock, id, mode) ==
  {claim \in lock.claims : claim[1] < id[1] /\ ~Compatible(claim[2], mode)}
Refuses(lock, id, mode) ==
  HoldsAgainst(lock, id, mode) # {} \/ ClaimsAgainst(lock, id, mode) # {}

\* after one attempt to take it: with the hold, or with the refused one's claim
Taken(lock, id, mode) ==
  IF IsHeldBy(lock, id) THEN lock
  ELSE IF Refuses(lock, id, mode)
  THEN [lock EXCEPT !.claims = {c \in @ : c[1] # id[1]} \cup {<<id[1], mode>>}]
  ELSE [lock EXCEPT !.holds = @ \cup {<<id, mode>>}]

ReleasedOfHold(lock, id) == [lock EXCEPT !.holds = {h \in @ : h[1] # id}]
ReleasedOfClaim(lock, r) == [lock EXCEPT !.claims = {c \in @ : c[1] # r}]
ReleasedOfAll(lock, id, r) == ReleasedOfClaim(ReleasedOfHold(lock, id), r)
=============================================================================
