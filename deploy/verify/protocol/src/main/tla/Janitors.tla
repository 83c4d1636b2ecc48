------------------------------ MODULE Janitors ------------------------------
(***************************************************************************)
(* Death: heartbeats, the fence, take-over, roll-forward and sweep, by any *)
(* number of janitors at once, against a worker that may go on at any      *)
(* moment although it was judged dead, and another rename ("c" to "a")     *)
(* that takes the locks as soon as they are free: what it brings to "a",   *)
(* the source of the first one, must stay there.                           *)
(*                                                                         *)
(* It begins where a worker has PREPARED its rename of "a" to "b" and      *)
(* holds the locks, in its second attempt; what was before stands in past. *)
(* Time is not modelled: a lease may have passed between any two looks     *)
(* that show the same version. So what holds here holds for all clocks;    *)
(* that a stall of Elasticsearch fences nobody (Canary) is not modelled.   *)
(* Reads may be stale: each may show what stood there at any time before.  *)
(*                                                                         *)
(* Ownership is owner and hold id, of which neither is ever used twice;    *)
(* the epoch is a count that nothing is decided by.                        *)
(*                                                                         *)
(* Not modelled: what follows RETRY (Attempts has it), late messages       *)
(* (LateWrites has them), PARKED, hand-over at a shutdown (it is a         *)
(* take-over without a fence).                                             *)
(***************************************************************************)
EXTENDS LockTable, TLC

CONSTANTS
  Worker, Janitors,
  Documents,       \* what the first rename moves
  EmptyNeeded,     \* empty passes after a take-over
  MaxBeats,
  MaxLooks,        \* looks, take-overs and sweeps, of all janitors together
  MaxStale,        \* reads that show what was before
  \* the guards; FALSE leaves one out
  ConditionalFence,    \* on the version that was watched
  ConditionalTakeOver, \* on the version that was read
  OwnershipCompared,   \* after a 409 owner and hold id are compared, not only the state
  ProgressWritten,     \* a conditional write of the entry between a page and its moves
  SequenceNumbers,     \* a document is written in the version that was read
  TouchBeforeSweep,    \* the entry is touched conditionally before a hold of it is removed
  PlaceholderFirst     \* for a hold whose entry is not found one is created before it is removed

VARIABLES
  process,   \* of each process: its document's version, and whether it is live
  entry, past,
  lock,
  doc,       \* of each document: where it stands, and its sequence number
  at,
  other,     \* the other rename: waiting, moving, ended
  count,
  hasty,     \* ghost: somebody was fenced whose heartbeat had moved since the look
  late,      \* ghost: a document was written although its rename held no locks
  outcomes
vars == <<process, entry, past, lock, doc, at, other, count, hasty, late, outcomes>>

Processes == {Worker} \cup Janitors
First == <<1, 1>>
Second == <<1, 2>>
OfOther == <<2, 1>>
AllDocuments == Documents \cup {"other"}
\* one of each first segment; "a" stands for the path /a in it
Tables == {"a", "b", "c"}
Excl(t) == {<<"/" \o t, "exclusive">>}
HeldBy(id, t) == Granted(EmptyTable, id, Excl(t))

NoText == <<"-", "nobody">>
NoEntry == [state |-> "none", ver |-> 0, own |-> <<"nobody", 0, NoHold>>, text |-> NoText]
Prepared(id, ver) == [state |-> "PREPARED", ver |-> ver, own |-> <<Worker, ver, id>>, text |-> NoText]
Final == {"DONE", "CLOSED"}
NeedsOwner == {"PREPARED", "MOVING", "DONE"}
MayHold == {"PREPARED", "MOVING"}
Idle == [pc |-> "idle", e |-> NoEntry, whom |-> "nobody", ver |-> 0, hold |-> NoHold, next |-> "-", then |-> "-", scan |-> {}, empty |-> 0]

Init ==
  /\ process = [p \in Processes |-> [state |-> "live", ver |-> 1]]
  /\ entry = Prepared(Second, 2)
  /\ past = {NoEntry, Prepared(First, 1)}
  /\ lock = [t \in Tables |-> IF t = "c" THEN EmptyTable ELSE HeldBy(Second, t)]
  /\ doc = [d \in AllDocuments |-> [path |-> IF d = "other" THEN "c" ELSE "a", seq |-> 0]]
  /\ at = [p \in Processes |-> IF p = Worker THEN [Idle EXCEPT !.pc = "check", !.e = entry] ELSE Idle]
  /\ other = "waiting"
  /\ count = [beats |-> 0, looks |-> 0, stale |-> 0]
  /\ hasty = FALSE
  /\ late = FALSE
  /\ outcomes = {}

Put(p, x) == at' = [at EXCEPT ![p] = x]
Go(p, pc) == Put(p, [at[p] EXCEPT !.pc = pc])
Write(e) == entry' = e /\ past' = past \cup {entry}
Held == \A p \in {"a", "b"} : IsHeldBy(lock[p], entry.own[3])
Release(id) == lock' = [t \in Tables |-> ReleasedOfAll(lock[t], id, 1)]

Seen == {entry} \cup IF count.stale < MaxStale THEN past ELSE {}
Read(e) == count' = [count EXCEPT !.stale = IF e = entry THEN @ ELSE @ + 1]
ReadAndLooked(e) == count' = [count EXCEPT !.stale = IF e = entry THEN @ ELSE @ + 1, !.looks = @ + 1]

\* ------------------------------------------------------- heartbeat and fence
Heartbeat_beat(p) ==
  /\ process[p].state = "live" /\ count.beats < MaxBeats
  /\ process' = [process EXCEPT ![p].ver = @ + 1]
  /\ count' = [count EXCEPT !.beats = @ + 1]
  /\ UNCHANGED <<entry, past, lock, doc, at, other, hasty, late, outcomes>>

\* it was fenced, and notices: it may also never do so
Incarnation_live(p) ==
  /\ process[p].state = "fenced" /\ at[p].pc # "stopped"
  /\ Put(p, [Idle EXCEPT !.pc = "stopped"])
  /\ UNCHANGED <<process, entry, past, lock, doc, other, count, hasty, late, outcomes>>

\* two looks show the same version, and a lease has passed between them
DeathWatch_poll(j, p) ==
  /\ at[j].pc = "idle" /\ p # j /\ process[p].state = "live" /\ count.looks < MaxLooks
  /\ Put(j, [Idle EXCEPT !.pc = "fence", !.whom = p, !.ver = process[p].ver])
  /\ count' = [count EXCEPT !.looks = @ + 1]
  /\ UNCHANGED <<process, entry, past, lock, doc, other, hasty, late, outcomes>>

DeathWatch_fence(j) ==
  /\ at[j].pc = "fence"
  /\ LET p == at[j].whom IN
     IF process[p].ver = at[j].ver \/ ~ConditionalFence
     THEN /\ process' = [process EXCEPT ![p] = [state |-> "fenced", ver |-> @.ver + 1]]
          /\ hasty' = (hasty \/ (process[p].ver # at[j].ver /\ process[p].state = "live"))
     ELSE UNCHANGED <<process, hasty>>
  /\ Put(j, Idle)
  /\ UNCHANGED <<entry, past, lock, doc, other, count, late, outcomes>>

\* ---------------------------------------------------------------- take over
RollForward_ofDead(j) ==
  /\ at[j].pc = "idle" /\ count.looks < MaxLooks
  /\ \E now \in Seen :
       /\ now.state \in NeedsOwner
       /\ now.own[1] = j \/ process[now.own[1]].state # "live"
       /\ ReadAndLooked(now)
       /\ Put(j, [Idle EXCEPT !.pc = "takeOver", !.e = now])
  /\ UNCHANGED <<process, entry, past, lock, doc, other, hasty, late, outcomes>>

RollForward_takeOver(j) ==
  /\ at[j].pc = "takeOver"
  /\ LET found == at[j].e
         mine == [found EXCEPT !.ver = entry.ver + 1, !.own = <<j, @[2] + 1, @[3]>>] IN
     IF entry.ver = found.ver \/ ~ConditionalTakeOver
     THEN /\ Write(mine)
          /\ Put(j, [Idle EXCEPT !.e = mine, !.pc = CASE mine.state = "PREPARED" -> "reclaim"
                                                      [] mine.state = "MOVING" -> "scan"
                                                      [] OTHER -> "release"])
     ELSE Put(j, Idle) /\ UNCHANGED <<entry, past>>
  /\ UNCHANGED <<process, lock, doc, other, count, hasty, late, outcomes>>

LockRelease_release(j) ==
  /\ at[j].pc = "reclaim"
  /\ Release(at[j].e.own[3])
  /\ Go(j, "retry")
  /\ UNCHANGED <<process, entry, past, doc, other, count, hasty, late, outcomes>>

\* ------------------------------------------------- the writes of the own entry
OwnEntry_write(p, state, then) ==
  LET x == at[p]
      own == IF state = "RETRY" THEN <<x.e.own[1], x.e.own[2], NoHold>> ELSE x.e.own
      e == [state |-> state, ver |-> entry.ver + 1, own |-> own, text |-> IF state = "DONE" THEN <<"DONE", p>> ELSE x.e.text] IN
  IF entry.ver = x.e.ver
  THEN Write(e) /\ Put(p, IF then = "idle" THEN Idle ELSE [x EXCEPT !.pc = then, !.e = e])
  ELSE Put(p, [x EXCEPT !.pc = "reread", !.next = state, !.then = x.pc]) /\ UNCHANGED <<entry, past>>

OwnEntry_reread(p) ==
  /\ at[p].pc = "reread"
  /\ LET x == at[p] IN
     \E now \in {e \in Seen : e.ver >= x.e.ver} :
       LET same(o) == ~OwnershipCompared \/ (now.own[1] = o[1] /\ now.own[3] = o[3])
           ours == \/ now.state = x.e.state /\ same(x.e.own)
                   \/ now.state = x.next /\ same(IF x.next = "RETRY" THEN <<x.e.own[1], x.e.own[2], NoHold>> ELSE x.e.own) IN
       /\ Read(now)
       /\ Put(p, IF ours THEN [x EXCEPT !.pc = x.then, !.e.ver = now.ver]
                 ELSE IF p = Worker /\ now.state = "RETRY" THEN [x EXCEPT !.pc = "notOurs"] ELSE Idle)
  /\ UNCHANGED <<process, entry, past, lock, doc, other, hasty, late, outcomes>>

RenameSteps_notOurs(p) ==
  /\ at[p].pc = "notOurs"
  /\ lock' = [t \in Tables |-> ReleasedOfHold(lock[t], at[p].e.own[3])]
  /\ Put(p, Idle)
  /\ UNCHANGED <<process, entry, past, doc, other, count, hasty, late, outcomes>>

RenameSteps_checkAndCommit(p) ==
  /\ at[p].pc = "check"
  /\ OwnEntry_write(p, "MOVING", "scan")
  /\ UNCHANGED <<process, lock, doc, other, count, hasty, late, outcomes>>

RollForward_releaseForRetry(j) ==
  /\ at[j].pc = "retry"
  /\ OwnEntry_write(j, "RETRY", "idle")
  /\ UNCHANGED <<process, lock, doc, other, count, hasty, late, outcomes>>

\* ------------------------------------------------------------------ the move
Mover_pass(p) ==
  /\ at[p].pc = "scan"
  /\ LET x == at[p]
         found == {<<d, doc[d].seq>> : d \in {d \in AllDocuments : doc[d].path = "a"}}
         needed == IF p = Worker THEN 1 ELSE EmptyNeeded IN
     Put(p, IF found # {} THEN [x EXCEPT !.pc = IF ProgressWritten THEN "progress" ELSE "move", !.scan = found, !.empty = 0]
            ELSE IF x.empty + 1 < needed THEN [x EXCEPT !.empty = @ + 1]
            ELSE [x EXCEPT !.pc = "end", !.empty = 0])
  /\ UNCHANGED <<process, entry, past, lock, doc, other, count, hasty, late, outcomes>>

JournalEntry_progressed(p) ==
  /\ at[p].pc = "progress"
  /\ OwnEntry_write(p, "MOVING", "move")
  /\ UNCHANGED <<process, lock, doc, other, count, hasty, late, outcomes>>

TreeStore_move(p) ==
  /\ at[p].pc = "move"
  /\ \E t \in at[p].scan :
       /\ IF doc[t[1]].seq = t[2] \/ ~SequenceNumbers
          THEN /\ doc' = [doc EXCEPT ![t[1]] = [path |-> "b", seq |-> @.seq + 1]]
               /\ late' = (late \/ entry.state # "MOVING" \/ ~Held)
          ELSE UNCHANGED <<doc, late>>
       /\ Put(p, [at[p] EXCEPT !.scan = @ \ {t}, !.pc = IF at[p].scan = {t} THEN "scan" ELSE "move"])
  /\ UNCHANGED <<process, entry, past, lock, other, count, hasty, outcomes>>

Completion_end(p) ==
  /\ at[p].pc = "end"
  /\ OwnEntry_write(p, "DONE", "release")
  /\ UNCHANGED <<process, lock, doc, other, count, hasty, late, outcomes>>

Completion_releaseAndClose(p) ==
  /\ at[p].pc = "release"
  /\ Release(at[p].e.own[3])
  /\ Go(p, "publish")
  /\ UNCHANGED <<process, entry, past, doc, other, count, hasty, late, outcomes>>

Completion_publish(p) ==
  /\ at[p].pc = "publish"
  /\ outcomes' = outcomes \cup {at[p].e.text}
  /\ Go(p, "close")
  /\ UNCHANGED <<process, entry, past, lock, doc, other, count, hasty, late>>

Completion_publishAndClose(p) ==
  /\ at[p].pc = "close"
  /\ OwnEntry_write(p, "CLOSED", "idle")
  /\ UNCHANGED <<process, lock, doc, other, count, hasty, late, outcomes>>

\* --------------------------------------------------------------------- sweep
Counts(e, id) == e.state \in MayHold /\ e.own[3] = id

\* judges one hold by what a read shows, and makes sure of it by a conditional write
Sweep_dead(j) ==
  /\ at[j].pc = "idle" /\ count.looks < MaxLooks
  /\ \E id \in {h[1] : h \in UNION {lock[t].holds : t \in Tables}} : \E now \in Seen :
       LET sure == \/ now.state = "none" /\ ~PlaceholderFirst
                   \/ now.state # "none" /\ (now.ver = entry.ver \/ ~TouchBeforeSweep) IN
       /\ id[1] = 1 /\ ~Counts(now, id)
       /\ ReadAndLooked(now)
       /\ IF sure THEN Put(j, [Idle EXCEPT !.pc = "sweep", !.hold = id]) ELSE UNCHANGED at
       /\ IF sure /\ now.ver = entry.ver THEN Write([entry EXCEPT !.ver = @ + 1]) ELSE UNCHANGED <<entry, past>>
  /\ UNCHANGED <<process, lock, doc, other, hasty, late, outcomes>>

Sweep_sweep(j) ==
  /\ at[j].pc = "sweep"
  /\ lock' = [t \in Tables |-> ReleasedOfHold(lock[t], at[j].hold)]
  /\ Put(j, Idle)
  /\ UNCHANGED <<process, entry, past, doc, other, count, hasty, late, outcomes>>

\* ----------------------------------------------------------- the other rename
Other_acquires ==
  /\ other = "waiting"
  /\ \A t \in {"a", "c"} : ~Refuses(lock[t], OfOther, Excl(t))
  /\ \A d \in Documents : doc[d].path # "a"       \* else it is rejected
  /\ lock' = [t \in Tables |-> IF t = "b" THEN lock[t] ELSE Taken(lock[t], OfOther, Excl(t))]
  /\ other' = "moving"
  /\ UNCHANGED <<process, entry, past, doc, at, count, hasty, late, outcomes>>

Other_ends ==
  /\ other = "moving"
  /\ doc' = [doc EXCEPT !["other"] = [path |-> "a", seq |-> @.seq + 1]]
  /\ lock' = [t \in Tables |-> ReleasedOfHold(lock[t], OfOther)]
  /\ other' = "ended"
  /\ UNCHANGED <<process, entry, past, at, count, hasty, late, outcomes>>

\* ---------------------------------------------------------------------------
Next ==
  \/ \E p \in Processes : Heartbeat_beat(p) \/ Incarnation_live(p) \/ OwnEntry_reread(p) \/ RenameSteps_notOurs(p)
                          \/ Mover_pass(p) \/ JournalEntry_progressed(p) \/ TreeStore_move(p) \/ Completion_end(p)
                          \/ Completion_releaseAndClose(p) \/ Completion_publish(p) \/ Completion_publishAndClose(p)
  \/ RenameSteps_checkAndCommit(Worker)
  \/ \E j \in Janitors : DeathWatch_fence(j) \/ RollForward_ofDead(j) \/ RollForward_takeOver(j) \/ LockRelease_release(j)
                         \/ RollForward_releaseForRetry(j) \/ Sweep_dead(j) \/ Sweep_sweep(j)
  \/ \E j \in Janitors, p \in Processes : DeathWatch_poll(j, p)
  \/ Other_acquires \/ Other_ends
Spec == Init /\ [][Next]_vars
Sym == Permutations(Janitors)

\* -------------------------------------------------------------- what must hold
NoHastyFence == ~hasty
NoLateWrite == ~late
Covered == entry.state = "MOVING" => Held
OthersUntouched == other = "ended" => doc["other"].path = "a"
AllMoved == entry.text[1] = "DONE" => \A d \in Documents : doc[d].path = "b"
NothingMovedElse == entry.state \in {"PREPARED", "RETRY"} => \A d \in Documents : doc[d].path = "a"
OneOutcome == Cardinality(outcomes) <= 1
\* what ended has given all back
NoLeak == entry.state = "CLOSED" => \A t \in Tables : \A h \in lock[t].holds : h[1][1] # 1
=============================================================================
