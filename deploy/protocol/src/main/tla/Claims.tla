------------------------------- MODULE Claims -------------------------------
(***************************************************************************)
(* Does every rename end? Nobody dies; the question is whether renames     *)
(* that refuse each other's locks go on doing so for ever, or a young one  *)
(* starves an old one. A bulk takes its locks one by one, others come      *)
(* between, so two can refuse each other. The rule that helps: the script  *)
(* that refuses leaves the refused one's claim in the same update, and     *)
(* younger ones respect it.                                                *)
(*                                                                         *)
(* A request is its age: 1 is the oldest. Those in Recurring begin anew    *)
(* whenever they have ended, as an endless stream of younger ones would.   *)
(* A late item of an attempt given back may come at any time until its     *)
(* request has ended (after that it is the sweep's: LateWrites).           *)
(* Hold ids alternate between two, so that the states are finite; the      *)
(* late item's is a third one.                                             *)
(*                                                                         *)
(* Not modelled: the tree, entries, --lock-wait (a rename that waits for   *)
(* too long gives up), pauses.                                             *)
(***************************************************************************)
EXTENDS LockDocument, Sequences, TLC

CONSTANTS
  LockSet,    \* of each request: <<path, mode>> in the order of the bulk
  Recurring,
  MaxLate,
  \* the guards; FALSE leaves one out
  ClaimByRefusal,   \* the script that refuses leaves the claim; else the refused one does, where it still finds a hold
  ClaimWhoever,     \* a claim is left whoever refuses; else only where an older one does
  ClaimsRespected,  \* an older claim refuses, too
  ClaimsKept,       \* what is given back are the holds, never the claims
  DeadHoldsRemoved  \* a refused one removes a hold that does not count

VARIABLES lock, at, count
vars == <<lock, at, count>>

Requests == DOMAIN LockSet
Paths == UNION {{LockSet[r][i][1] : i \in DOMAIN LockSet[r]} : r \in Requests}
Hold(r) == <<r, at[r].n>>
Late(r) == <<r, 3>>
Begin == [pc |-> "attempt", n |-> 1, i |-> 1, refused |-> {}, blockers |-> {}]

Init ==
  /\ lock = [p \in Paths |-> Nobody]
  /\ at = [r \in Requests |-> Begin]
  /\ count = 0

Put(r, x) == at' = [at EXCEPT ![r] = x]
OnAll(Op(_)) == lock' = [p \in Paths |-> Op(lock[p])]

\* as acquire-lock.painless does it, or with a part of its rule left out
Script(l, id, mode) ==
  LET unseen == IF ClaimsRespected THEN l ELSE [l EXCEPT !.claims = {}]
      after == Taken(unseen, id, mode)
      byOlder == ClaimsAgainst(l, id, mode) # {} \/ \E h \in HoldsAgainst(l, id, mode) : h[1][1] < id[1] IN
  IF IsHeldBy(after, id) THEN [after EXCEPT !.claims = l.claims]
  ELSE IF ClaimByRefusal /\ (ClaimWhoever \/ byOlder) THEN Taken(l, id, mode) ELSE l
Claimed(l, r, mode) == [l EXCEPT !.claims = {c \in @ : c[1] # r} \cup {<<r, mode>>}]

\* a new hold id; the previous one's holds go
Acquisition_attempt(r) ==
  /\ at[r].pc = "attempt"
  /\ OnAll(LAMBDA l : ReleasedOfHold(l, Hold(r)))
  /\ Put(r, [Begin EXCEPT !.pc = "take", !.n = 3 - at[r].n])
  /\ UNCHANGED count

\* the next lock of the bulk
Journal_prepare(r) ==
  /\ at[r].pc = "take"
  /\ LET x == at[r]  p == LockSet[r][x.i][1]  mode == LockSet[r][x.i][2]
         after == Script(lock[p], Hold(r), mode)
         refused == x.refused \cup IF IsHeldBy(after, Hold(r)) THEN {} ELSE {x.i}
         blockers == x.blockers \cup {h[1] : h \in HoldsAgainst(lock[p], Hold(r), mode)} IN
     /\ lock' = [lock EXCEPT ![p] = after]
     /\ Put(r, IF x.i < Len(LockSet[r]) THEN [x EXCEPT !.i = @ + 1, !.refused = refused, !.blockers = blockers]
               ELSE [x EXCEPT !.i = 1, !.refused = refused, !.blockers = blockers, !.pc = IF refused = {} THEN "commit" ELSE "giveBack"])
  /\ UNCHANGED count

Acquisition_giveBack(r) ==
  /\ at[r].pc = "giveBack"
  /\ OnAll(LAMBDA l : IF ClaimsKept THEN ReleasedOfHold(l, Hold(r)) ELSE ReleasedOfAll(l, Hold(r), r))
  /\ Put(r, [at[r] EXCEPT !.pc = IF ClaimByRefusal THEN "dead" ELSE "claim"])
  /\ UNCHANGED count

\* only where the script does not do it
LeavesClaims(r) ==
  /\ at[r].pc = "claim"
  /\ lock' = [p \in Paths |->
       LET of == {i \in at[r].refused : LockSet[r][i][1] = p /\ HoldsAgainst(lock[p], Hold(r), LockSet[r][i][2]) # {}} IN
       IF of = {} THEN lock[p] ELSE Claimed(lock[p], r, LockSet[r][CHOOSE i \in of : TRUE][2])]
  /\ Put(r, [at[r] EXCEPT !.pc = "dead"])
  /\ UNCHANGED count

DeadHolds_removeFrom(r) ==
  /\ at[r].pc = "dead"
  /\ IF DeadHoldsRemoved
     THEN OnAll(LAMBDA l : [l EXCEPT !.holds = {h \in @ : h[1] \notin at[r].blockers \/ h[1][2] # 3}])
     ELSE UNCHANGED lock
  /\ Put(r, [at[r] EXCEPT !.pc = "attempt", !.refused = {}, !.blockers = {}])
  /\ UNCHANGED count

Renamer_checkAndCommit(r) ==
  /\ at[r].pc = "commit"
  /\ Put(r, [at[r] EXCEPT !.pc = "moving"])
  /\ UNCHANGED <<lock, count>>

Completion_releaseAndClose(r) ==
  /\ at[r].pc = "moving"
  /\ OnAll(LAMBDA l : ReleasedOfAll(l, Hold(r), r))
  /\ Put(r, [Begin EXCEPT !.pc = "ended"])
  /\ UNCHANGED count

Again(r) == r \in Recurring /\ at[r].pc = "ended" /\ Put(r, Begin) /\ UNCHANGED <<lock, count>>

Elasticsearch_appliesLate ==
  /\ count < MaxLate /\ count' = count + 1
  /\ \E r \in Requests : at[r].pc # "ended" /\ \E i \in DOMAIN LockSet[r] :
       lock' = [lock EXCEPT ![LockSet[r][i][1]] = Script(@, Late(r), LockSet[r][i][2])]
  /\ UNCHANGED at

Step(r) ==
  \/ Acquisition_attempt(r) \/ Journal_prepare(r) \/ Acquisition_giveBack(r) \/ LeavesClaims(r)
  \/ DeadHolds_removeFrom(r) \/ Renamer_checkAndCommit(r) \/ Completion_releaseAndClose(r)
Next == (\E r \in Requests : Step(r) \/ Again(r)) \/ Elasticsearch_appliesLate
Spec == Init /\ [][Next]_vars /\ \A r \in Requests : WF_vars(Step(r)) /\ WF_vars(Again(r))

\* -------------------------------------------------------------- what must hold
Mutex == \A p \in Paths : \A g, h \in lock[p].holds : g = h \/ Compatible(g[2], h[2])
EveryRenameEnds == \A r \in Requests \ Recurring : <>(at[r].pc = "ended")

\* ---------------------------------------------------------------- the scenes
X(path) == <<path, "exclusive">>
S(path) == <<path, "shared">>
SameTwo == << <<X("a"), X("b")>>, <<X("a"), X("b")>> >>
SameThree == << <<X("a"), X("b")>>, <<X("a"), X("b")>>, <<X("a"), X("b")>> >>
Ring == << <<X("a"), X("b")>>, <<X("b"), X("c")>>, <<X("a"), X("c")>> >>
BusyDirectory == << <<X("a"), X("b")>>, <<S("a"), X("c")>>, <<S("a"), X("d")>> >>
=============================================================================
