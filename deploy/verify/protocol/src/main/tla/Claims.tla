------------------------------- MODULE Claims -------------------------------
(***************************************************************************)
(* This model checks that every rename ends, and how often a rename        *)
(* attempts to acquire its locks. No process dies. Two renames could       *)
(* refuse each other's locks forever, or a younger rename could starve an  *)
(* older one. A bulk updates its tables one by one, with other bulks       *)
(* between, so two requests can refuse each other. Two rules prevent this. *)
(* The script that refuses a request writes the claim of the request in    *)
(* the same update, and younger requests respect the claim. An attempt     *)
(* that only some of its tables grant releases the granted parts.          *)
(*                                                                         *)
(* A refused request then waits by reads: it attempts again if a read of   *)
(* its tables shows that an attempt may succeed. A read may show an        *)
(* earlier state. Then an attempt is in vain, or the next read decides.    *)
(*                                                                         *)
(* The number of a request is its age: 1 is the oldest. A request in       *)
(* Recurring begins again each time it has ended, like an endless stream   *)
(* of younger requests. Until a request has ended, a late item of one of   *)
(* its released attempts may arrive at any time: of the last attempt, or   *)
(* of an earlier one. After the end of the request, the sweep removes such *)
(* holds (LateWrites). Hold ids alternate between two values, so that the  *)
(* number of states is finite. The attempts before the last one have a     *)
(* third value.                                                            *)
(*                                                                         *)
(* Not modelled: the tree, entries, --lock-wait (a rename that waits for   *)
(* too long ends), and the limit of claims.                                *)
(***************************************************************************)
EXTENDS LockTable, TLC

CONSTANTS
  LockSet,    \* of each request: <<table, part>> in the order of the bulk
  Recurring,
  MaxLate,
  MaxStale,   \* reads of the tables that show an earlier state
  MostHolds,  \* the limit of holds of one table
  Applied,    \* how often Elasticsearch applies each item before its answer
  MostVain,   \* the largest counted number of attempts in vain
  \* the guards of the rule of a table; FALSE removes a guard
  ClaimByRefusal,    \* the script that refuses a request writes the claim; otherwise the refused request does, if it still finds a hold
  ClaimAlways,       \* every refusal leaves a claim; otherwise only the refusal by an older request does
  ClaimsRespected,   \* an older claim also refuses
  OwnHoldIsSuccess,  \* the own hold of a request does not refuse it
  RoomForOlder,      \* an older claim counts as a hold for the limit of the table
  \* the guards of attempts
  ClaimsKept,        \* a refused attempt releases its holds, and keeps its claims
  PartReleased,      \* a request releases the granted parts before it waits
  DeadHoldsRemoved,  \* a sweep removes dead holds
  \* the guards of waiting
  Woken,             \* a waiting request is woken
  MissingClaimSeen,  \* a request also attempts again if a table refuses it and does not contain its claim
  OwnHoldSeen,       \* a request also attempts again if a table contains the hold of its last attempt
  OlderClaimsSeen    \* the read of the tables respects older claims, like the script

VARIABLES
  lock, at, count,
  vain     \* ghost: of each request, the refused attempts since another request changed one of its tables
vars == <<lock, at, count, vain>>

Requests == DOMAIN LockSet
Tables == UNION {TablesOf(LockSet[r]) : r \in Requests}
Hold(r) == <<r, at[r].n>>
Earlier(r) == <<r, 3>>
Begin == [pc |-> "attempt", n |-> 1, i |-> 1, granted |-> {}, refused |-> {}]

Init ==
  /\ lock = [t \in Tables |-> EmptyTable]
  /\ at = [r \in Requests |-> Begin]
  /\ count = [late |-> 0, stale |-> 0]
  /\ vain = [r \in Requests |-> 0]

Put(r, x) == at' = [at EXCEPT ![r] = x]
OnAll(Op(_)) == lock' = [t \in Tables |-> Op(lock[t])]
Changed(q) == \E t \in TablesOf(LockSet[q]) : lock'[t] # lock[t]
\* counts after a step of r that may have changed tables
Counted(r, refused) ==
  vain' = [q \in Requests |->
    IF q = r THEN (IF refused /\ vain[q] < MostVain THEN vain[q] + 1 ELSE vain[q]) ELSE IF Changed(q) THEN 0 ELSE vain[q]]

\* ------------------------------------------------------------ the rule of a table
\* the rule of acquire-lock.painless and LockTable.blockersOf, or the rule without one guard
HoldsRefuse(l, id, part) == HoldsAgainst(l, IF OwnHoldIsSuccess THEN id ELSE NoHold, part) # {}
ClaimsRefuse(l, id, part) == ClaimsRespected /\ ClaimsAgainst(l, id, part) # {}
Older(l, id) == {c \in l.claims : c[1] < id[1]}
IsFull(l, id) ==
  LET reserved == IF RoomForOlder THEN Cardinality(Older(l, id)) ELSE 0 IN
  Cardinality({h \in l.holds : h[1] # id}) + reserved >= MostHolds

RefusesNow(l, id, part) == HoldsRefuse(l, id, part) \/ ClaimsRefuse(l, id, part) \/ IsFull(l, id)
ByOlder(l, id, part) == ClaimsAgainst(l, id, part) # {} \/ \E h \in HoldsAgainst(l, id, part) : h[1][1] < id[1]
Once(l, id, part) ==
  IF OwnHoldIsSuccess /\ IsHeldBy(l, id) THEN l
  ELSE IF ~RefusesNow(l, id, part) THEN Granted(l, id, part)
  ELSE IF ClaimByRefusal /\ (ClaimAlways \/ ByOlder(l, id, part)) THEN Claimed(l, id, part) ELSE l
Before(l, id, part) == IF Applied = 2 THEN Once(l, id, part) ELSE l
Script(l, id, part) == Once(Before(l, id, part), id, part)
\* whether the last answer shows the hold
IsGranted(l, id, part) ==
  LET last == Before(l, id, part) IN (OwnHoldIsSuccess /\ IsHeldBy(last, id)) \/ ~RefusesNow(last, id, part)

\* ------------------------------------------------------------------ attempts
\* begins an attempt with a new hold id, and removes the holds of the previous attempt
LockAttempts_attempt(r) ==
  /\ at[r].pc = "attempt"
  /\ OnAll(LAMBDA l : ReleasedOfHold(l, Hold(r)))
  /\ Put(r, [Begin EXCEPT !.pc = "take", !.n = 3 - at[r].n])
  /\ Counted(r, FALSE)
  /\ UNCHANGED count

Waits == IF ClaimByRefusal THEN "look" ELSE "claim"

\* applies the next part of the bulk
Journal_prepare(r) ==
  /\ at[r].pc = "take"
  /\ LET x == at[r]  set == LockSet[r]  t == set[x.i][1]  part == set[x.i][2]
         isGranted == IsGranted(lock[t], Hold(r), part)
         granted == x.granted \cup IF isGranted THEN {x.i} ELSE {}
         refused == x.refused \cup IF isGranted THEN {} ELSE {x.i}
         isLast == x.i = Len(set) IN
     /\ lock' = [lock EXCEPT ![t] = Script(@, Hold(r), part)]
     /\ Put(r, [x EXCEPT !.i = IF isLast THEN 1 ELSE @ + 1,
                         !.granted = IF isLast THEN {} ELSE granted,
                         !.refused = IF isLast /\ (refused = {} \/ ClaimByRefusal) THEN {} ELSE refused,
                         !.pc = IF ~isLast THEN "take" ELSE IF refused = {} THEN "commit"
                                ELSE IF granted # {} /\ PartReleased THEN "releaseHold" ELSE Waits])
     /\ Counted(r, isLast /\ refused # {})
  /\ UNCHANGED count

LockAttempts_release(r) ==
  /\ at[r].pc = "releaseHold"
  /\ OnAll(LAMBDA l : IF ClaimsKept THEN ReleasedOfHold(l, Hold(r)) ELSE ReleasedOfAll(l, Hold(r), r))
  /\ Put(r, [at[r] EXCEPT !.pc = Waits])
  /\ Counted(r, FALSE)
  /\ UNCHANGED count

\* writes the claims if the script does not write them
LeavesClaims(r) ==
  /\ at[r].pc = "claim"
  /\ lock' = [t \in Tables |->
       LET of == {i \in at[r].refused : LockSet[r][i][1] = t /\ HoldsAgainst(lock[t], Hold(r), LockSet[r][i][2]) # {}} IN
       IF of = {} THEN lock[t] ELSE Claimed(lock[t], Hold(r), LockSet[r][CHOOSE i \in of : TRUE][2])]
  /\ Put(r, [at[r] EXCEPT !.pc = "look", !.refused = {}])
  /\ Counted(r, FALSE)
  /\ UNCHANGED count

\* -------------------------------------------------------------------- waiting
\* the hold of an attempt that no entry names any more
IsDead(id) == id[2] = 3
DeadAgainst(r) ==
  UNION {{h \in HoldsAgainst(lock[LockSet[r][i][1]], Hold(r), LockSet[r][i][2]) : IsDead(h[1])} : i \in DOMAIN LockSet[r]}

\* a janitor removes the dead holds that refuse a request, before the request waits or while it waits (Janitors models the sweep)
Sweep_sweep(r) ==
  /\ at[r].pc = "look" \/ (DeadHoldsRemoved /\ at[r].pc = "wait" /\ DeadAgainst(r) # {})
  /\ IF DeadHoldsRemoved THEN OnAll(LAMBDA l : [l EXCEPT !.holds = @ \ DeadAgainst(r)]) ELSE UNCHANGED lock
  /\ Put(r, [at[r] EXCEPT !.pc = "wait"])
  /\ Counted(r, FALSE)
  /\ UNCHANGED count

Refusing(r) ==
  {i \in DOMAIN LockSet[r] :
     LET l == lock[LockSet[r][i][1]]
         seen == IF OlderClaimsSeen THEN l ELSE [l EXCEPT !.claims = {}] IN
     RefusesNow(seen, Hold(r), LockSet[r][i][2])}
MayAttempt(r) ==
  \/ Refusing(r) = {}
  \/ MissingClaimSeen /\ \E i \in Refusing(r) : ~IsClaimedBy(lock[LockSet[r][i][1]], r)
  \/ OwnHoldSeen /\ \E t \in TablesOf(LockSet[r]) : IsHeldBy(lock[t], Hold(r))

LockWatch_await(r) ==
  /\ Woken /\ at[r].pc = "wait" /\ MayAttempt(r)
  /\ Put(r, [at[r] EXCEPT !.pc = "attempt"])
  /\ UNCHANGED <<lock, count, vain>>

Elasticsearch_showsWhatWas(r) ==
  /\ at[r].pc = "wait" /\ count.stale < MaxStale
  /\ count' = [count EXCEPT !.stale = @ + 1]
  /\ Put(r, [at[r] EXCEPT !.pc = "attempt"])
  /\ UNCHANGED <<lock, vain>>

\* -------------------------------------------------------------------- the other steps
RenameSteps_checkAndCommit(r) ==
  /\ at[r].pc = "commit"
  /\ Put(r, [at[r] EXCEPT !.pc = "moving"])
  /\ UNCHANGED <<lock, count, vain>>

Completion_releaseAndClose(r) ==
  /\ at[r].pc = "moving"
  /\ OnAll(LAMBDA l : ReleasedOfAll(l, Hold(r), r))
  /\ Put(r, [Begin EXCEPT !.pc = "ended"])
  /\ Counted(r, FALSE)
  /\ UNCHANGED count

Again(r) == r \in Recurring /\ at[r].pc = "ended" /\ Put(r, Begin) /\ UNCHANGED <<lock, count, vain>>

Elasticsearch_appliesLate(r) ==
  /\ count.late < MaxLate /\ count' = [count EXCEPT !.late = @ + 1]
  /\ at[r].pc # "ended"
  /\ \E id \in {Earlier(r)} \cup (IF at[r].pc \in {"releaseHold", "look", "wait"} THEN {Hold(r)} ELSE {}) : \E i \in DOMAIN LockSet[r] :
       lock' = [lock EXCEPT ![LockSet[r][i][1]] = Once(@, id, LockSet[r][i][2])]
  /\ vain' = [q \in Requests |-> IF Changed(q) THEN 0 ELSE vain[q]]
  /\ UNCHANGED at

Step(r) ==
  \/ LockAttempts_attempt(r) \/ Journal_prepare(r) \/ LockAttempts_release(r) \/ LeavesClaims(r)
  \/ LockWatch_await(r) \/ Sweep_sweep(r)
  \/ RenameSteps_checkAndCommit(r) \/ Completion_releaseAndClose(r)
Next == \E r \in Requests : Step(r) \/ Again(r) \/ Elasticsearch_appliesLate(r) \/ Elasticsearch_showsWhatWas(r)
Spec == Init /\ [][Next]_vars /\ \A r \in Requests : WF_vars(Step(r)) /\ WF_vars(Again(r))

\* -------------------------------------------------------------- what must hold
Mutex == \A t \in Tables : Excluded(lock[t])
WithinLimit == \A t \in Tables : Cardinality(lock[t].holds) <= MostHolds
EveryRenameEnds == \A r \in Requests \ Recurring : <>(at[r].pc = "ended")
\* while no other request changes the tables, each refusal leaves one more claim, or follows a read that showed an earlier state
NoSpin == \A r \in Requests : vain[r] <= Len(LockSet[r]) + count.stale

\* ---------------------------------------------------------------- the scenes
X(path) == <<path, "exclusive">>
S(path) == <<path, "shared">>
In(table, lock1) == <<table, {lock1}>>
\* two renames between the same two tables; the paths of the second are below those of the first
Two == << <<In("a", X("/a")), In("b", X("/b"))>>, <<In("a", X("/a/f")), In("b", X("/b/f"))>> >>
Ring == << <<In("a", X("/a")), In("b", X("/b"))>>, <<In("b", X("/b")), In("c", X("/c"))>>, <<In("a", X("/a")), In("c", X("/c"))>> >>
\* a rename of a directory, a rename out of it, and a writer in it
BusyDirectory == << <<In("a", X("/a")), In("b", X("/b"))>>, <<In("a", X("/a/f")), In("c", X("/c"))>>, <<In("a", S("/a/d"))>> >>
\* the oldest request uses two tables, and a younger request uses each of them
BusyTables == << <<In("a", X("/a")), In("b", X("/b"))>>, <<In("a", X("/a/f"))>>, <<In("b", X("/b/f"))>> >>
\* no request conflicts with another one, and the table is too small for all
FullTable == << <<In("a", X("/a/1"))>>, <<In("a", X("/a/2"))>>, <<In("a", X("/a/3"))>> >>
=============================================================================
