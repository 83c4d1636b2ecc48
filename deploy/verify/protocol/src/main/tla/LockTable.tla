----------------------------- MODULE LockTable ------------------------------
(***************************************************************************)
(* The rule that grants locks: LockTable.java and acquire-lock.painless. A *)
(* lock table contains the holds and the claims of all paths of one bucket *)
(* of first segments. A table is one atomic value, and each operator is    *)
(* one scripted update of a table.                                         *)
(*                                                                         *)
(* A lock is <<path, mode>>. A part is a set of locks: all locks of a lock *)
(* set that belong to one table. A lock set is a sequence of <<table,      *)
(* part>>, one for each item of the bulk.                                  *)
(*                                                                         *)
(* A request is a number. A smaller number is an older request. A hold id  *)
(* is <<request, n>>. A hold is <<hold id, part>>, and a claim is          *)
(* <<request, part>>.                                                      *)
(***************************************************************************)
EXTENDS Paths

NoHold == <<0, 0>>
EmptyTable == [holds |-> {}, claims |-> {}]

\* an exclusive lock of the first part is at or above a lock of the second part
Covers(part, other) == \E l \in part : l[2] = "exclusive" /\ \E k \in other : IsAtOrBelow(k[1], l[1])
Conflict(part, other) == Covers(part, other) \/ Covers(other, part)

IsHeldBy(table, id) == \E h \in table.holds : h[1] = id
IsClaimedBy(table, r) == \E c \in table.claims : c[1] = r

HoldsAgainst(table, id, part) == {h \in table.holds : h[1] # id /\ Conflict(h[2], part)}
ClaimsAgainst(table, id, part) == {c \in table.claims : c[1] < id[1] /\ Conflict(c[2], part)}
Refuses(table, id, part) == HoldsAgainst(table, id, part) # {} \/ ClaimsAgainst(table, id, part) # {}

Granted(table, id, part) == [table EXCEPT !.holds = @ \cup {<<id, part>>}]
Claimed(table, id, part) == [table EXCEPT !.claims = {c \in @ : c[1] # id[1]} \cup {<<id[1], part>>}]

\* the table after one attempt: it has the hold of the whole part, or the claim of the refused request
Taken(table, id, part) ==
  IF IsHeldBy(table, id) THEN table
  ELSE IF Refuses(table, id, part) THEN Claimed(table, id, part)
  ELSE Granted(table, id, part)

ReleasedOfHold(table, id) == [table EXCEPT !.holds = {h \in @ : h[1] # id}]
ReleasedOfRequest(table, r) == [table EXCEPT !.holds = {h \in @ : h[1][1] # r}]
ReleasedOfClaim(table, r) == [table EXCEPT !.claims = {c \in @ : c[1] # r}]
ReleasedOfAll(table, id, r) == ReleasedOfClaim(ReleasedOfHold(table, id), r)

\* a table never contains two holds that conflict
Excluded(table) == \A g, h \in table.holds : g = h \/ ~Conflict(g[2], h[2])

TablesOf(lockSet) == {lockSet[i][1] : i \in DOMAIN lockSet}
IsHeldIn(tables, lockSet, id) == \A i \in DOMAIN lockSet : IsHeldBy(tables[lockSet[i][1]], id)
=============================================================================
