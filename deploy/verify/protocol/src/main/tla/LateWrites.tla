----------------------------- MODULE LateWrites -----------------------------
(***************************************************************************)
(* Writes that arrive late or twice. A copy of each write of a lock, a     *)
(* release, a document or the entry may be delayed, and Elasticsearch may  *)
(* apply it at any later moment: after its sender has died, after its      *)
(* rename has ended, and while other renames hold the locks. The next      *)
(* refused request or the sweep removes the holds that such a copy leaves. *)
(*                                                                         *)
(* One rename of "a" to "b" is delivered to two workers. There are a       *)
(* janitor, and another rename ("c" to "a") that acquires the locks as     *)
(* soon as they are free. Locks are acquired and released one by one. A    *)
(* process may be fenced at any moment, and continues.                     *)
(*                                                                         *)
(* A worker opens the point in time of its first pass before the commit.   *)
(* The commit is the only write of the entry before the moves of this      *)
(* whole point in time. Each later pass, and each pass of a janitor, opens *)
(* a new point in time, then writes the entry once, and then moves.        *)
(*                                                                         *)
(* Not modelled: lost answers and stale reads (in Attempts and Janitors),  *)
(* claims (in Claims), and process documents.                              *)
(***************************************************************************)
EXTENDS LockTable, TLC

CONSTANTS
  Workers, Janitor,
  Documents,          \* the documents that the rename moves
  MaxDeliveries, MaxAttempts, MaxTakeOvers,
  MaxLate,            \* late copies in one run
  \* the guards; FALSE removes a guard
  ReleasedByHoldId,   \* a release names the hold that it removes, and not the request
  NewHoldIds,         \* every attempt has its own hold id
  SequenceNumbers,    \* a document is written only if it still has the sequence number that was read
  ConditionalEntry,   \* every write of the entry is conditional, also a late copy
  ConditionalCommit,  \* the commit is conditional
  OnePointInTime,     \* between two writes of the entry, all pages are from one point in time
  ScanBeforeWrite,    \* a process opens a point in time before the write of the entry that precedes its moves
  Swept               \* a janitor removes dead holds

VARIABLES
  entry, lock, doc, at, net, other, count,
  late      \* ghost: a document was written although its rename held no locks
vars == <<entry, lock, doc, at, net, other, count, late>>

Processes == Workers \cup {Janitor}
Locks == <<"a", "b">>
\* the lock tables; "a" is the table of the path /a
Tables == {"a", "b", "c"}
OfOther == <<2, 1>>
Excl(t) == {<<"/" \o t, "exclusive">>}
NoEntry == [state |-> "none", ver |-> 0, own |-> <<"none", 0, NoHold>>]
MayHold == {"PREPARED", "MOVING"}
Idle == [pc |-> "idle", e |-> NoEntry, hold |-> NoHold, prev |-> NoHold, i |-> 0, blocker |-> NoHold, next |-> "-", then |-> "-", scan |-> {}]

Init ==
  /\ entry = NoEntry
  /\ lock = [t \in Tables |-> EmptyTable]
  /\ doc = [d \in Documents \cup {"other"} |-> [path |-> IF d = "other" THEN "c" ELSE "a", seq |-> 0]]
  /\ at = [p \in Processes |-> Idle]
  /\ net = {}
  /\ other = "waiting"
  /\ count = [deliveries |-> 0, attempts |-> 0, takeOvers |-> 0, late |-> 0]
  /\ late = FALSE

Put(p, x) == at' = [at EXCEPT ![p] = x]
Held == \A i \in DOMAIN Locks : IsHeldBy(lock[Locks[i]], entry.own[3])
Without(l, id) == IF ReleasedByHoldId THEN ReleasedOfHold(l, id) ELSE ReleasedOfRequest(l, id[1])
Take(l, t, id) == [Taken(l, id, Excl(t)) EXCEPT !.claims = {}]
Copy(m) ==
  \/ UNCHANGED <<net, count>>
  \/ count.late < MaxLate /\ net' = net \cup {m} /\ count' = [count EXCEPT !.late = @ + 1]

\* ------------------------------------------------------------------ attempts
Kafka_delivers(w) ==
  /\ at[w].pc = "idle" /\ count.deliveries < MaxDeliveries
  /\ count' = [count EXCEPT !.deliveries = @ + 1]
  /\ Put(w, [Idle EXCEPT !.pc = "look"])
  /\ UNCHANGED <<entry, lock, doc, net, other, late>>

Renamer_continueFrom(w) ==
  /\ at[w].pc = "look"
  /\ \/ entry.state \in {"none", "RETRY"} /\ Put(w, [Idle EXCEPT !.pc = "go", !.e = entry])
     \/ entry.state \in {"DONE", "CLOSED"} /\ Put(w, Idle)
  /\ UNCHANGED <<entry, lock, doc, net, other, count, late>>

\* the first item of the bulk
LockAttempts_attempt(w) ==
  /\ at[w].pc = "go" /\ count.attempts < MaxAttempts
  /\ LET x == at[w]
         id == <<1, IF NewHoldIds THEN count.attempts + 1 ELSE 1>>
         e == [state |-> "PREPARED", ver |-> x.e.ver + 1, own |-> <<w, x.e.own[2] + 1, id>>] IN
     /\ count' = [count EXCEPT !.attempts = @ + 1]
     /\ IF entry.ver = x.e.ver
        THEN entry' = e /\ Put(w, [x EXCEPT !.pc = "take", !.e = e, !.hold = id, !.i = 1])
        ELSE Put(w, [Idle EXCEPT !.pc = "look"]) /\ UNCHANGED entry
  /\ UNCHANGED <<lock, doc, net, other, late>>

\* each further item; it also removes the previous hold from its table
Journal_prepare(w) ==
  /\ at[w].pc = "take"
  /\ LET x == at[w]  p == Locks[x.i]
         l == IF x.prev = NoHold THEN lock[p] ELSE Without(lock[p], x.prev)
         got == IsHeldBy(Take(l, p, x.hold), x.hold)
         blocker == IF got \/ x.blocker # NoHold THEN x.blocker ELSE CHOOSE id \in {h[1] : h \in l.holds} : TRUE IN
     /\ lock' = [lock EXCEPT ![p] = Take(l, p, x.hold)]
     /\ Put(w, IF x.i < Len(Locks) THEN [x EXCEPT !.i = @ + 1, !.blocker = blocker]
               ELSE [x EXCEPT !.i = 1, !.blocker = blocker, !.pc = IF blocker = NoHold THEN "check" ELSE "releaseHold", !.then = "refused"])
     /\ Copy(<<"take", p, x.hold>>)
  /\ UNCHANGED <<entry, doc, other, late>>

\* releases one lock: after a refused attempt, at the end, or by a janitor
LockStore_release(p) ==
  /\ at[p].pc = "releaseHold"
  /\ LET x == at[p]  q == Locks[x.i] IN
     /\ lock' = [lock EXCEPT ![q] = Without(@, x.hold)]
     /\ Put(p, IF x.i < Len(Locks) THEN [x EXCEPT !.i = @ + 1] ELSE [x EXCEPT !.pc = x.then, !.i = 1])
     /\ Copy(<<"release", q, x.hold>>)
  /\ UNCHANGED <<entry, doc, other, late>>

\* whether a hold of the first request is valid
Counts(id) == entry.state \in MayHold /\ entry.own[3] = id
NoOpWritten == [entry EXCEPT !.ver = @ + 1]

\* a refused request waits for any time; meanwhile a sweep may remove a dead hold
LockWait_await(w) ==
  /\ at[w].pc = "refused"
  /\ Put(w, [at[w] EXCEPT !.pc = "again", !.prev = at[w].hold, !.blocker = NoHold])
  /\ UNCHANGED <<entry, lock, doc, net, other, count, late>>

\* a refused request reads its entry again; a no-op write may have changed the version
LockAttempts_mayAttempt(w) ==
  /\ at[w].pc = "again"
  /\ Put(w, IF entry.state = "RETRY" \/ (entry.state = "PREPARED" /\ entry.own = at[w].e.own)
            THEN [at[w] EXCEPT !.pc = "go", !.e = entry] ELSE [Idle EXCEPT !.pc = "look"])
  /\ UNCHANGED <<entry, lock, doc, net, other, count, late>>

\* ------------------------------------------------- the writes of the own entry
OwnEntry_write(p, state, rec, isForced) ==
  LET x == at[p]
      e == [state |-> state, ver |-> x.e.ver + 1,
            own |-> IF state = "RETRY" THEN <<x.e.own[1], x.e.own[2], NoHold>> ELSE x.e.own] IN
  /\ IF entry.ver = x.e.ver \/ isForced
     THEN entry' = e /\ Put(p, [rec EXCEPT !.e = e]) /\ Copy(<<"entry", x.e.ver, e>>)
     ELSE Put(p, [x EXCEPT !.pc = "reread", !.then = x.pc]) /\ UNCHANGED <<entry, net, count>>
  /\ UNCHANGED <<lock, doc, other, late>>

OwnEntry_reread(p) ==
  /\ at[p].pc = "reread"
  /\ LET x == at[p] IN
     Put(p, IF entry.state = x.e.state /\ entry.own = x.e.own THEN [x EXCEPT !.pc = x.then, !.e = entry]
            ELSE IF p = Janitor THEN Idle
            ELSE IF entry.state = "RETRY" THEN [x EXCEPT !.pc = "releaseHold", !.i = 1, !.then = "look"]
            ELSE [Idle EXCEPT !.pc = "look"])
  /\ UNCHANGED <<entry, lock, doc, net, other, count, late>>

\* the documents that a point in time shows if it is opened now
Shown == {<<d, doc[d].seq>> : d \in {d \in DOMAIN doc : doc[d].path = "a"}}

\* opens the point in time of the first pass, under the locks
TreeStore_open(w) ==
  /\ at[w].pc = "check"
  /\ Put(w, [at[w] EXCEPT !.scan = IF ScanBeforeWrite THEN Shown ELSE {}, !.pc = "commit"])
  /\ UNCHANGED <<entry, lock, doc, net, other, count, late>>

\* the write between the opening of the first point in time and its moves
RenameSteps_checkAndCommit(w) ==
  /\ at[w].pc = "commit"
  /\ OwnEntry_write(w, "MOVING", [at[w] EXCEPT !.pc = IF ScanBeforeWrite THEN "move" ELSE "reopen"], ~ConditionalCommit)
JournalEntry_progressed(p) ==
  /\ at[p].pc = "progress"
  /\ OwnEntry_write(p, "MOVING", [at[p] EXCEPT !.pc = IF ScanBeforeWrite THEN "move" ELSE "reopen"], FALSE)
Completion_end(p) == at[p].pc = "end" /\ OwnEntry_write(p, "DONE", [at[p] EXCEPT !.pc = "releaseHold", !.i = 1, !.then = "close"], FALSE)
Completion_publishAndClose(p) == at[p].pc = "close" /\ OwnEntry_write(p, "CLOSED", [Idle EXCEPT !.pc = "idle"], FALSE)
RollForward_releaseForRetry(j) == at[j].pc = "retry" /\ OwnEntry_write(j, "RETRY", Idle, FALSE)

\* ------------------------------------------------------------------ the move
Mover_pass(p) ==
  /\ at[p].pc = "scan"
  /\ Put(p, [at[p] EXCEPT !.scan = Shown, !.pc = IF Shown = {} THEN "end" ELSE "progress"])
  /\ UNCHANGED <<entry, lock, doc, net, other, count, late>>

\* without a guard: the next moves use a point in time that is opened after the write
OpensAgain(p) ==
  /\ at[p].pc = "reopen" \/ (~OnePointInTime /\ at[p].pc = "move")
  /\ Put(p, [at[p] EXCEPT !.scan = Shown, !.pc = "move"])
  /\ UNCHANGED <<entry, lock, doc, net, other, count, late>>

\* the effect of a write of a document, in time or late
Moves(t) ==
  IF doc[t[1]].seq = t[2] \/ ~SequenceNumbers
  THEN /\ doc' = [doc EXCEPT ![t[1]] = [path |-> "b", seq |-> @.seq + 1]]
       /\ late' = (late \/ entry.state # "MOVING" \/ ~Held)
  ELSE UNCHANGED <<doc, late>>

TreeStore_move(p) ==
  /\ at[p].pc = "move"
  /\ \E t \in at[p].scan :
       /\ Moves(t)
       /\ Put(p, [at[p] EXCEPT !.scan = @ \ {t}])
       /\ Copy(<<"move", t[1], t[2]>>)
  /\ UNCHANGED <<entry, lock, other>>

MoveStream_finish(p) ==
  /\ at[p].pc = "move" /\ at[p].scan = {}
  /\ Put(p, [at[p] EXCEPT !.pc = "scan"])
  /\ UNCHANGED <<entry, lock, doc, net, other, count, late>>

\* -------------------------------------------------------- take-over and sweep
RollForward_takeOver(j) ==
  /\ at[j].pc = "idle" /\ count.takeOvers < MaxTakeOvers
  /\ entry.state \in {"PREPARED", "MOVING", "DONE"}
  /\ count' = [count EXCEPT !.takeOvers = @ + 1]
  /\ LET e == [entry EXCEPT !.ver = @ + 1, !.own = <<j, @[2] + 1, @[3]>>]
         x == [Idle EXCEPT !.e = e, !.hold = e.own[3], !.i = 1] IN
     /\ entry' = e
     /\ Put(j, CASE e.state = "PREPARED" -> [x EXCEPT !.pc = "releaseHold", !.then = "retry"]
                 [] e.state = "MOVING" -> [x EXCEPT !.pc = "scan"]
                 [] e.state = "DONE" -> [x EXCEPT !.pc = "releaseHold", !.then = "close"])
  /\ UNCHANGED <<lock, doc, net, other, late>>

Sweep_sweep(j) ==
  /\ Swept /\ at[j].pc = "idle"
  /\ \E t \in Tables : \E h \in lock[t].holds :
       /\ h[1][1] = 1 /\ ~Counts(h[1])
       /\ entry' = NoOpWritten
       /\ lock' = [lock EXCEPT ![t] = Without(@, h[1])]
  /\ UNCHANGED <<doc, at, net, other, count, late>>

\* ---------------------------------------------------------------- late copies
Elasticsearch_appliesLate ==
  \E m \in net :
    /\ net' = net \ {m}
    /\ CASE m[1] = "take" -> lock' = [lock EXCEPT ![m[2]] = Take(@, m[2], m[3])] /\ UNCHANGED <<entry, doc, late>>
         [] m[1] = "release" -> lock' = [lock EXCEPT ![m[2]] = Without(@, m[3])] /\ UNCHANGED <<entry, doc, late>>
         [] m[1] = "move" -> Moves(<<m[2], m[3]>>) /\ UNCHANGED <<entry, lock>>
         [] m[1] = "entry" -> /\ entry' = IF entry.ver = m[2] THEN m[3]
                                          ELSE IF ConditionalEntry THEN entry ELSE [m[3] EXCEPT !.ver = entry.ver + 1]
                              /\ UNCHANGED <<lock, doc, late>>
    /\ UNCHANGED <<at, other, count>>

\* ----------------------------------------------------------- the other rename
Other_acquires ==
  /\ other = "waiting"
  /\ \A t \in {"a", "c"} : ~Refuses(lock[t], OfOther, Excl(t))
  /\ \A d \in Documents : doc[d].path # "a"
  /\ lock' = [t \in Tables |-> IF t = "b" THEN lock[t] ELSE Taken(lock[t], OfOther, Excl(t))]
  /\ other' = "moving"
  /\ UNCHANGED <<entry, doc, at, net, count, late>>

Other_ends ==
  /\ other = "moving"
  /\ doc' = [doc EXCEPT !["other"] = [path |-> "a", seq |-> @.seq + 1]]
  /\ lock' = [t \in Tables |-> ReleasedOfHold(lock[t], OfOther)]
  /\ other' = "ended"
  /\ UNCHANGED <<entry, at, net, count, late>>

\* ---------------------------------------------------------------------------
Next ==
  \/ \E w \in Workers : Kafka_delivers(w) \/ Renamer_continueFrom(w) \/ LockAttempts_attempt(w) \/ Journal_prepare(w)
                        \/ LockWait_await(w) \/ LockAttempts_mayAttempt(w) \/ TreeStore_open(w) \/ RenameSteps_checkAndCommit(w)
  \/ \E p \in Processes : LockStore_release(p) \/ OwnEntry_reread(p) \/ Mover_pass(p) \/ JournalEntry_progressed(p)
                          \/ OpensAgain(p) \/ TreeStore_move(p) \/ MoveStream_finish(p) \/ Completion_end(p) \/ Completion_publishAndClose(p)
  \/ RollForward_takeOver(Janitor) \/ RollForward_releaseForRetry(Janitor) \/ Sweep_sweep(Janitor)
  \/ Elasticsearch_appliesLate
  \/ Other_acquires \/ Other_ends
Spec == Init /\ [][Next]_vars
Sym == Permutations(Workers)

\* -------------------------------------------------------------- what must hold
Mutex == \A t \in Tables : Excluded(lock[t])
Covered == entry.state = "MOVING" => Held
NoLateWrite == ~late
OthersUntouched == other = "ended" => doc["other"].path = "a"
AllMoved == entry.state \in {"DONE", "CLOSED"} => \A d \in Documents : doc[d].path = "b"
NothingMovedElse == entry.state \in {"none", "PREPARED", "RETRY"} => \A d \in Documents : doc[d].path = "a"
\* if no step is possible any more, no table contains a dead hold
NothingDead == ~ENABLED Next => \A t \in Tables : \A h \in lock[t].holds : Counts(h[1])
=============================================================================
