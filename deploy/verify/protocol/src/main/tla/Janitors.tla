------------------------------ MODULE Janitors ------------------------------
(***************************************************************************)
(* Death: heartbeats, the fence, take-over, roll-forward and sweep. Any    *)
(* number of janitors act at once. The worker may continue at any moment   *)
(* after a janitor has fenced it. Another rename ("c" to "a") acquires the *)
(* locks as soon as they are free. The document that this rename moves to  *)
(* "a", the source of the first rename, must stay there.                   *)
(*                                                                         *)
(* In the initial state a worker has PREPARED its rename of "a" to "b" and *)
(* holds the locks, in its second attempt. The variable past contains the  *)
(* earlier entries. Time is not modelled: a lease may pass between any two *)
(* polls that show the same version. So the properties hold for all        *)
(* clocks. The model does not contain the rule that an outage of           *)
(* Elasticsearch fences no process (OwnWrites). A read may be stale: it    *)
(* may show any earlier entry.                                             *)
(*                                                                         *)
(* An ownership is an owner and a hold id. No owner and no hold id is used *)
(* twice. The epoch is only a counter, and no decision depends on it.      *)
(*                                                                         *)
(* Not modelled: the steps after RETRY (in Attempts), late messages (in    *)
(* LateWrites), PARKED, direct renames (in Attempts), and the hand-over at *)
(* a shutdown (a take-over without a fence).                               *)
(***************************************************************************)
EXTENDS LockTable, TLC

CONSTANTS
  Worker, Janitors,
  Documents,       \* the documents that the first rename moves
  EmptyNeeded,     \* the number of empty passes that end a rename after a take-over
  MaxBeats,
  MaxPolls,        \* polls, take-overs and sweeps of all janitors together
  MaxStale,        \* reads that show an earlier entry
  \* the guards; FALSE removes a guard
  ConditionalFence,    \* the fence is conditional on the watched version
  ConditionalTakeOver, \* the take-over is conditional on the version that was read
  OwnershipCompared,   \* after a 409, the process compares owner and hold id, and not only the state
  ProgressWritten,     \* a process writes the entry conditionally between a page and its moves
  SequenceNumbers,     \* a document is written only if it still has the sequence number that was read
  NoOpBeforeSweep,     \* a conditional no-op write of the entry precedes the removal of its hold
  PlaceholderFirst     \* if the entry of a hold does not exist, the janitor creates a placeholder before it removes the hold

VARIABLES
  process,   \* of each process: the version of its document, and its state
  entry, past,
  lock,
  doc,       \* of each document: its path and its sequence number
  at,
  other,     \* the other rename: waiting, moving, ended
  count,
  hasty,     \* ghost: a process was fenced although it had written a heartbeat since the poll
  late,      \* ghost: a document was written although its rename held no locks
  outcomes
vars == <<process, entry, past, lock, doc, at, other, count, hasty, late, outcomes>>

Processes == {Worker} \cup Janitors
First == <<1, 1>>
Second == <<1, 2>>
OfOther == <<2, 1>>
AllDocuments == Documents \cup {"other"}
\* one table for each first segment; "a" is the table of the path /a
Tables == {"a", "b", "c"}
Excl(t) == {<<"/" \o t, "exclusive">>}
HeldBy(id, t) == Granted(EmptyTable, id, Excl(t))

NoText == <<"-", "none">>
NoEntry == [state |-> "none", ver |-> 0, own |-> <<"none", 0, NoHold>>, text |-> NoText]
Prepared(id, ver) == [state |-> "PREPARED", ver |-> ver, own |-> <<Worker, ver, id>>, text |-> NoText]
Final == {"DONE", "CLOSED"}
NeedsOwner == {"PREPARED", "MOVING", "DONE"}
MayHold == {"PREPARED", "MOVING"}
Idle == [pc |-> "idle", e |-> NoEntry, watched |-> "none", ver |-> 0, hold |-> NoHold, next |-> "-", then |-> "-", scan |-> {}, empty |-> 0]

Init ==
  /\ process = [p \in Processes |-> [state |-> "live", ver |-> 1]]
  /\ entry = Prepared(Second, 2)
  /\ past = {NoEntry, Prepared(First, 1)}
  /\ lock = [t \in Tables |-> IF t = "c" THEN EmptyTable ELSE HeldBy(Second, t)]
  /\ doc = [d \in AllDocuments |-> [path |-> IF d = "other" THEN "c" ELSE "a", seq |-> 0]]
  /\ at = [p \in Processes |-> IF p = Worker THEN [Idle EXCEPT !.pc = "check", !.e = entry] ELSE Idle]
  /\ other = "waiting"
  /\ count = [beats |-> 0, polls |-> 0, stale |-> 0]
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
ReadAndPolled(e) == count' = [count EXCEPT !.stale = IF e = entry THEN @ ELSE @ + 1, !.polls = @ + 1]

\* ------------------------------------------------------- heartbeat and fence
Heartbeat_beat(p) ==
  /\ process[p].state = "live" /\ count.beats < MaxBeats
  /\ process' = [process EXCEPT ![p].ver = @ + 1]
  /\ count' = [count EXCEPT !.beats = @ + 1]
  /\ UNCHANGED <<entry, past, lock, doc, at, other, hasty, late, outcomes>>

\* a fenced process reads its state and stops; it may also never read its state
Incarnation_live(p) ==
  /\ process[p].state = "fenced" /\ at[p].pc # "stopped"
  /\ Put(p, [Idle EXCEPT !.pc = "stopped"])
  /\ UNCHANGED <<process, entry, past, lock, doc, other, count, hasty, late, outcomes>>

\* the first of two polls that show the same version; a lease passes between them
DeathWatch_poll(j, p) ==
  /\ at[j].pc = "idle" /\ p # j /\ process[p].state = "live" /\ count.polls < MaxPolls
  /\ Put(j, [Idle EXCEPT !.pc = "fence", !.watched = p, !.ver = process[p].ver])
  /\ count' = [count EXCEPT !.polls = @ + 1]
  /\ UNCHANGED <<process, entry, past, lock, doc, other, hasty, late, outcomes>>

DeathWatch_fence(j) ==
  /\ at[j].pc = "fence"
  /\ LET p == at[j].watched IN
     IF process[p].ver = at[j].ver \/ ~ConditionalFence
     THEN /\ process' = [process EXCEPT ![p] = [state |-> "fenced", ver |-> @.ver + 1]]
          /\ hasty' = (hasty \/ (process[p].ver # at[j].ver /\ process[p].state = "live"))
     ELSE UNCHANGED <<process, hasty>>
  /\ Put(j, Idle)
  /\ UNCHANGED <<entry, past, lock, doc, other, count, late, outcomes>>

\* ---------------------------------------------------------------- take-over
RollForward_ofDead(j) ==
  /\ at[j].pc = "idle" /\ count.polls < MaxPolls
  /\ \E now \in Seen :
       /\ now.state \in NeedsOwner
       /\ now.own[1] = j \/ process[now.own[1]].state # "live"
       /\ ReadAndPolled(now)
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

\* finds that a hold is dead by a read of the entry, and confirms this by a conditional write
Sweep_dead(j) ==
  /\ at[j].pc = "idle" /\ count.polls < MaxPolls
  /\ \E id \in {h[1] : h \in UNION {lock[t].holds : t \in Tables}} : \E now \in Seen :
       LET sure == \/ now.state = "none" /\ ~PlaceholderFirst
                   \/ now.state # "none" /\ (now.ver = entry.ver \/ ~NoOpBeforeSweep) IN
       /\ id[1] = 1 /\ ~Counts(now, id)
       /\ ReadAndPolled(now)
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
  /\ \A d \in Documents : doc[d].path # "a"       \* otherwise the rename is rejected
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
\* a closed rename holds no locks
NoLeak == entry.state = "CLOSED" => \A t \in Tables : \A h \in lock[t].holds : h[1][1] # 1
=============================================================================
