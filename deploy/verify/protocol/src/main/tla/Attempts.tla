------------------------------ MODULE Attempts ------------------------------
(***************************************************************************)
(* Requests and their attempts: the bulk that writes the entry and         *)
(* acquires the locks, void attempts, redelivery, the commit, the move,    *)
(* the janitor that releases or rolls forward, cancellation, and direct    *)
(* renames. The model follows the steps of Renamer, LockAttempts,          *)
(* OwnEntry, Mover, Completion, RollForward and Cancellation. A test       *)
(* replays recorded runs against it (Replay.tla).                          *)
(*                                                                         *)
(* Time is not modelled: a process may be fenced at any moment, may pause  *)
(* for any time between two steps, and may continue after it was fenced. A *)
(* bulk is independent of its sender once it is sent: Elasticsearch        *)
(* applies its items one by one, with other writes between them, even if   *)
(* its sender no longer waits, is dead, or has sent the next bulk. A read  *)
(* may show an earlier entry.                                              *)
(*                                                                         *)
(* A direct rename runs in the process of its caller, and has no record    *)
(* that Kafka can deliver again. So a janitor ends it if it is not         *)
(* decided. The entry stores whether a direct call created it. The same    *)
(* request may also have a record.                                         *)
(*                                                                         *)
(* Not modelled: two threads of one process, documents that a scan misses, *)
(* late writes of documents and late releases (in LateWrites), facts of    *)
(* the tree (in SharedLocks), PARKED, the documents that a rename          *)
(* replaces, retention, and watermarks.                                    *)
(***************************************************************************)
EXTENDS LockTable, TLC

CONSTANTS
  Workers, Janitors,
  Cancellers,     \* each cancels once, and has no heartbeat
  Requests,       \* the requests, 1 to n
  LockSet,        \* of each request: <<table, part>> in the order of the bulk
  Documents,      \* of each request: the documents at or below its source
  OwnDocuments,   \* of each request: the documents at the source itself, which move first
  MaxDeliveries,  \* of each request: deliveries of its record
  MaxDirectCalls, \* of each request: calls that run it as a direct rename
  MaxAttempts,    \* of each request
  MaxTakeOvers,
  MaxDeaths,
  MaxLost,        \* answers that do not arrive
  MaxTwice,       \* bulks that Elasticsearch applies twice
  MaxStale,       \* reads that show an earlier entry
  MaxGivenUp,     \* renames that end without a move: refused for too long, rejected by the check, or ended with their process
  \* the guards; FALSE removes a guard
  EntryFirst,         \* the entry is the first item of the bulk, and not the last item
  NewHoldIds,         \* every attempt has its own hold id
  SuccessByHold,      \* an attempt succeeds if the returned tables contain its hold; the status of the item is ignored
  EveryTable,         \* an attempt succeeds only if every returned table contains its hold
  ReleasedByHoldId,   \* a release names the hold that it removes, and not the request
  VoidAttempts,       \* an attempt is void if the item of its entry is refused
  OwnershipCompared,  \* after a 409, the process also compares owner and hold id
  ConditionalCommit,  \* the commit is a conditional write
  AttemptsRemembered, \* a process recognizes the entry that any of its attempts wrote
  OldReadsDropped,    \* a process ignores a read that is older than its last write
  ConditionalCancellation, \* a cancellation is a conditional write
  DirectRenamesEnd    \* a janitor ends a direct rename that is not decided, instead of writing RETRY

VARIABLES
  entry,     \* of each request
  past,      \* of each request: the earlier entries, which a stale read may show
  lock,      \* of each table
  doc,       \* of each document: whether it was moved, and its sequence number
  bulks,     \* the bulks that are sent and not yet answered
  at,        \* of each process: its next step, and its local data
  fenced, dead,
  count,     \* the bounded steps so far
  commits,   \* ghost: the number of commits of each request
  outcomes,  \* ghost: the outcomes returned or published for each request
  late       \* ghost: a document was written although its rename held no locks
vars == <<entry, past, lock, doc, bulks, at, fenced, dead, count, commits, outcomes, late>>

Processes == Workers \cup Janitors \cup Cancellers
Tables == UNION {TablesOf(LockSet[r]) : r \in Requests}
AllDocuments == UNION {Documents[r] : r \in Requests}

\* an ownership is <<process, epoch, hold id>>. The epoch is only a counter, and no decision depends on it
NoText == <<"-", "none">>
NoEntry == [state |-> "none", ver |-> 0, own |-> <<"none", 0, NoHold>>, text |-> NoText, direct |-> FALSE]
Final == {"DONE", "FAILED", "CANCELLED", "CLOSED"}
NeedsOwner == {"PREPARED", "MOVING", "DONE", "FAILED", "CANCELLED"}
\* the owner of a cancelled entry that no process has taken over
NoProcess == "cancel"
HasLeft(e) == e.state = "CANCELLED" /\ e.own[1] = NoProcess
MayHold == {"PREPARED", "MOVING"}

\* pc: the next step; e: the entry that the process wrote or read last; then: the step after the present one
Idle == [pc |-> "idle", r |-> 0, bulk |-> 0, e |-> NoEntry, hold |-> NoHold, prev |-> NoHold, tried |-> {},
         direct |-> FALSE, blockers |-> {}, next |-> "-", then |-> "-", scan |-> {}, empty |-> 0]

Init ==
  /\ entry = [r \in Requests |-> NoEntry]
  /\ past = [r \in Requests |-> {}]
  /\ lock = [t \in Tables |-> EmptyTable]
  /\ doc = [d \in AllDocuments |-> [moved |-> FALSE, seq |-> 0]]
  /\ bulks = {}
  /\ at = [p \in Processes |-> Idle]
  /\ fenced = {}
  /\ dead = {}
  /\ count = [deliveries |-> [r \in Requests |-> 0], calls |-> [r \in Requests |-> 0], attempts |-> [r \in Requests |-> 0], bulks |-> 0, takeOvers |-> 0,
              lost |-> 0, twice |-> 0, stale |-> 0, givenUp |-> 0]
  /\ commits = [r \in Requests |-> 0]
  /\ outcomes = [r \in Requests |-> {}]
  /\ late = FALSE

\* ------------------------------------------------------------ operators
Put(p, x) == at' = [at EXCEPT ![p] = x]
Go(p, pc) == Put(p, [at[p] EXCEPT !.pc = pc])
Counted(what) == count' = [count EXCEPT ![what] = @ + 1]
Write(r, e) ==
  /\ entry' = [entry EXCEPT ![r] = e]
  /\ past' = IF MaxStale > 0 THEN [past EXCEPT ![r] = @ \cup {entry[r]}] ELSE past
Held(r) == IsHeldIn(lock, LockSet[r], entry[r].own[3])
Release(r, Op(_)) == lock' = [t \in Tables |-> IF t \in TablesOf(LockSet[r]) THEN Op(lock[t]) ELSE lock[t]]
Without(table, id) == IF ReleasedByHoldId THEN ReleasedOfHold(table, id) ELSE ReleasedOfRequest(table, id[1])

\* the entries that a read may return to a process that knows this version
Seen(r, known) ==
  {entry[r]} \cup IF count.stale = MaxStale THEN {} ELSE {e \in past[r] : ~OldReadsDropped \/ e.ver >= known}
Read(r, e) == count' = [count EXCEPT !.stale = IF e = entry[r] THEN @ ELSE @ + 1]

\* ------------------------------------------------------ delivery and attempts
Kafka_delivers(w, r) ==
  /\ at[w].pc = "idle" /\ w \notin dead
  /\ count.deliveries[r] < MaxDeliveries
  /\ count' = [count EXCEPT !.deliveries[r] = @ + 1]
  /\ Put(w, [Idle EXCEPT !.pc = "go", !.r = r])
  /\ UNCHANGED <<entry, past, lock, doc, bulks, fenced, dead, commits, outcomes, late>>

\* a direct rename has no record: its process begins it, and Kafka never delivers it again
Process_renamesDirectly(w, r) ==
  /\ at[w].pc = "idle" /\ w \notin dead
  /\ count.calls[r] < MaxDirectCalls
  /\ count' = [count EXCEPT !.calls[r] = @ + 1]
  /\ Put(w, [Idle EXCEPT !.pc = "go", !.r = r, !.direct = TRUE])
  /\ UNCHANGED <<entry, past, lock, doc, bulks, fenced, dead, commits, outcomes, late>>

HoldId(w) == <<at[w].r, IF NewHoldIds THEN count.attempts[at[w].r] + 1 ELSE 1>>

\* sends the bulk of the next attempt. The creator of an entry decides whether it is the entry of a direct rename
LockAttempts_attempt(w) ==
  /\ at[w].pc = "go"
  /\ LET x == at[w]  r == x.r
         id == HoldId(w)
         own == <<w, IF x.e = NoEntry THEN 1 ELSE x.e.own[2] + 1, id>> IN
     /\ count.attempts[r] < MaxAttempts
     /\ count' = [count EXCEPT !.attempts[r] = @ + 1, !.bulks = @ + 1]
     /\ bulks' = bulks \cup {[n |-> count.bulks + 1, r |-> r, own |-> own, seen |-> x.e.ver, prev |-> x.prev, i |-> 1,
                              written |-> 0, granted |-> 0,
                              direct |-> IF x.e.state = "none" THEN x.direct ELSE x.e.direct]}
     /\ Put(w, [x EXCEPT !.pc = "sent", !.bulk = count.bulks + 1, !.hold = id, !.tried = @ \cup {id}])
  /\ UNCHANGED <<entry, past, lock, doc, fenced, dead, commits, outcomes, late>>

Items(b) ==
  LET own == << <<"entry", 0>> >>
      previous == IF b.prev = NoHold THEN <<>> ELSE << <<"previous", 0>> >>
      locks == [i \in DOMAIN LockSet[b.r] |-> <<"lock", i>>] IN
  IF EntryFirst THEN own \o previous \o locks ELSE previous \o locks \o own
IsApplied(b) == b.i > Len(Items(b))
PreparedBy(b, ver) == [state |-> "PREPARED", ver |-> ver, own |-> b.own, text |-> NoText, direct |-> b.direct]

\* applies one item of a bulk. The items of the locks are independent of the item of the entry
Elasticsearch_applies == \E b \in bulks :
  /\ ~IsApplied(b)
  /\ LET item == Items(b)[b.i]
         written == item[1] = "entry" /\ entry[b.r].ver = b.seen
         table == LockSet[b.r][item[2]][1]  part == LockSet[b.r][item[2]][2]  id == b.own[3]
         after == IF item[1] # "lock" THEN [b EXCEPT !.i = @ + 1, !.written = IF written THEN b.seen + 1 ELSE @]
                  ELSE [b EXCEPT !.i = @ + 1, !.granted = @ + IF IsHeldBy(Taken(lock[table], id, part), id) THEN 1 ELSE 0]
         awaited == \E w \in Workers : at[w].pc = "sent" /\ at[w].bulk = b.n IN
     /\ IF written THEN Write(b.r, PreparedBy(b, b.seen + 1))
                   ELSE UNCHANGED <<entry, past>>
     /\ CASE item[1] = "entry" -> UNCHANGED lock
          [] item[1] = "previous" -> Release(b.r, LAMBDA l : ReleasedOfHold(l, b.prev))
          [] item[1] = "lock" -> lock' = [lock EXCEPT ![table] = Taken(@, id, part)]
     /\ bulks' = (bulks \ {b}) \cup IF IsApplied(after) /\ ~awaited THEN {} ELSE {after}
  /\ UNCHANGED <<doc, at, fenced, dead, count, commits, outcomes, late>>

\* the client sends the bulk to a second node as well
Elasticsearch_receivesTwice == \E b \in bulks :
  /\ count.twice < MaxTwice /\ Counted("twice")
  /\ b.i = 1
  /\ bulks' = bulks \cup {[b EXCEPT !.n = 0]}
  /\ UNCHANGED <<entry, past, lock, doc, at, fenced, dead, commits, outcomes, late>>

Refusing(w) ==
  LET set == LockSet[at[w].r] IN UNION {{h[1] : h \in HoldsAgainst(lock[set[i][1]], at[w].hold, set[i][2])} : i \in DOMAIN set}
Took(b) == b.granted = Len(LockSet[b.r]) \/ (~EveryTable /\ b.granted > 0)

\* the answer to the bulk. If every table refuses an attempt, the attempt has nothing to release
Journal_prepare(w) ==
  /\ at[w].pc = "sent"
  /\ \E b \in bulks :
       LET x == at[w]  r == x.r
           took == Took(b) \/ ~SuccessByHold
           e == IF b.written > 0 THEN PreparedBy(b, b.written) ELSE entry[r]
           counts == b.written > 0 \/ (~VoidAttempts /\ entry[r].state = "PREPARED") IN
       /\ b.n = x.bulk /\ IsApplied(b)
       /\ bulks' = bulks \ {b}
       /\ Put(w, IF ~counts THEN [x EXCEPT !.pc = "releaseHold", !.then = "void"]
                 ELSE [x EXCEPT !.e = e, !.prev = b.own[3], !.blockers = IF took THEN {} ELSE Refusing(w),
                                !.pc = IF took THEN "check" ELSE IF b.granted = 0 THEN "refused" ELSE "releaseHold", !.then = "refused"])
  /\ UNCHANGED <<entry, past, lock, doc, fenced, dead, count, commits, outcomes, late>>

Elasticsearch_losesAnswer(w) ==
  /\ at[w].pc = "sent"
  /\ count.lost < MaxLost /\ Counted("lost")
  /\ bulks' = {b \in bulks : b.n # at[w].bulk \/ ~IsApplied(b)}
  /\ Put(w, [at[w] EXCEPT !.pc = "releaseHold", !.then = "void"])
  /\ UNCHANGED <<entry, past, lock, doc, fenced, dead, commits, outcomes, late>>

LockAttempts_release(w) ==
  /\ at[w].pc = "releaseHold"
  /\ Release(at[w].r, LAMBDA l : Without(l, at[w].hold))
  /\ Go(w, at[w].then)
  /\ UNCHANGED <<entry, past, doc, bulks, fenced, dead, count, commits, outcomes, late>>

IsDead(id) ==
  LET e == entry[id[1]] IN e.state # "none" /\ ~(e.state \in MayHold /\ e.own[3] = id)

\* a janitor removes the dead holds that refuse a request. A no-op write of the entry precedes each removal.
\* Then the request waits for any time before its next attempt (Claims models the waiting)
Sweep_sweep(w) ==
  /\ at[w].pc = "refused"
  /\ LET x == at[w]  gone == {id \in x.blockers \cup Refusing(w) : IsDead(id)}  confirmed == {id[1] : id \in gone} IN
     /\ entry' = [r \in Requests |-> IF r \in confirmed THEN [entry[r] EXCEPT !.ver = @ + 1] ELSE entry[r]]
     /\ Release(x.r, LAMBDA l : [l EXCEPT !.holds = {h \in @ : h[1] \notin gone}])
     /\ \/ Put(w, [x EXCEPT !.pc = "go", !.blockers = {}]) /\ UNCHANGED count
        \/ /\ count.givenUp < MaxGivenUp /\ Counted("givenUp")
           /\ Put(w, [x EXCEPT !.pc = "end", !.next = "FAILED"])
  /\ UNCHANGED <<past, doc, bulks, fenced, dead, commits, outcomes, late>>

\* a read after a void attempt shows which process owns the entry
LockAttempts_mayAttempt(w) ==
  /\ at[w].pc = "void"
  /\ LET x == at[w]  r == x.r IN
     \E now \in Seen(r, x.e.ver) :
       LET before == IF x.e # NoEntry /\ x.prev # NoHold THEN {x.e.own[3]} ELSE {}
           known == IF AttemptsRemembered THEN x.tried ELSE before \cup {x.hold}
           mine == now.own[1] = w /\ now.own[3] \in known IN
       /\ Read(r, now)
       /\ IF now.state \in {"none", "RETRY"} \/ (now.state = "PREPARED" /\ mine)
          THEN /\ Put(w, [x EXCEPT !.pc = "go", !.e = now, !.prev = IF mine THEN now.own[3] ELSE @])
               /\ UNCHANGED lock
          ELSE /\ Go(w, "look")
               /\ IF now.state \in Final THEN Release(r, LAMBDA l : ReleasedOfClaim(l, r)) ELSE UNCHANGED lock
  /\ UNCHANGED <<entry, past, doc, bulks, fenced, dead, commits, outcomes, late>>

\* another process has or had the request; if the entry is open, the worker waits
Renamer_continueFrom(w) ==
  /\ at[w].pc = "look"
  /\ LET x == at[w]  r == x.r IN
     \E now \in Seen(r, 0) :
       /\ Read(r, now)
       /\ \/ /\ now.state \in {"none", "RETRY"}
             /\ Put(w, [Idle EXCEPT !.pc = "go", !.r = r, !.e = now])
             /\ UNCHANGED <<entry, past, outcomes>>
          \/ /\ now.state \in Final \ {"CLOSED"} /\ now.own[1] = w
             /\ Put(w, [Idle EXCEPT !.pc = "release", !.r = r, !.e = now])
             /\ UNCHANGED <<entry, past, outcomes>>
          \/ \* answers from the journal, after a no-op write
             /\ now.state \in Final /\ (now.state = "CLOSED" \/ now.own[1] # w) /\ ~HasLeft(now) /\ now = entry[r]
             /\ Write(r, [now EXCEPT !.ver = @ + 1])
             /\ outcomes' = [outcomes EXCEPT ![r] = @ \cup {now.text}]
             /\ Put(w, Idle)
          \/ \* the entry is cancelled and has no owner: the worker takes it over
             /\ HasLeft(now) /\ now = entry[r]
             /\ LET e == [now EXCEPT !.ver = @ + 1, !.own = <<w, @[2] + 1, @[3]>>] IN
                /\ Write(r, e)
                /\ Put(w, [Idle EXCEPT !.pc = "release", !.r = r, !.e = e])
             /\ UNCHANGED outcomes
  /\ UNCHANGED <<lock, doc, bulks, fenced, dead, commits, late>>

\* ------------------------------------------------- the writes of the own entry
\* if the answer is lost, the process sends the same write again
OwnEntry_write(p, state, then, unconditional) ==
  LET x == at[p]  r == x.r
      own == IF state = "RETRY" THEN <<x.e.own[1], x.e.own[2], NoHold>> ELSE x.e.own
      text == IF state \in {"DONE", "FAILED"} THEN <<state, p>> ELSE x.e.text
      e == [state |-> state, ver |-> entry[r].ver + 1, own |-> own, text |-> text, direct |-> x.e.direct] IN
  IF entry[r].ver = x.e.ver \/ unconditional
  THEN /\ Write(r, e)
       /\ commits' = IF state = "MOVING" /\ entry[r].state # "MOVING" THEN [commits EXCEPT ![r] = @ + 1] ELSE commits
       /\ \/ Put(p, IF then = "idle" THEN Idle ELSE [x EXCEPT !.pc = then, !.e = e]) /\ UNCHANGED count
          \/ count.lost < MaxLost /\ Counted("lost") /\ UNCHANGED at
  ELSE /\ Put(p, [x EXCEPT !.pc = "reread", !.next = state, !.then = x.pc])
       /\ UNCHANGED <<entry, past, commits, count>>

\* after a refused write: the read shows whether only a no-op write came between, or whether the own write arrived
OwnEntry_reread(p) ==
  /\ at[p].pc = "reread"
  /\ LET x == at[p]  r == x.r IN
     \E now \in Seen(r, x.e.ver) :
       LET same(o) == ~OwnershipCompared \/ (now.own[1] = o[1] /\ now.own[3] = o[3])
           none == <<x.e.own[1], x.e.own[2], NoHold>>
           ours == \/ now.state = x.e.state /\ same(x.e.own)
                   \/ now.state = x.next /\ same(IF x.next = "RETRY" THEN none ELSE x.e.own) IN
       /\ Read(r, now)
       /\ Put(p, IF ours THEN [x EXCEPT !.pc = x.then, !.e.ver = now.ver]
                 ELSE IF p \in Janitors THEN Idle
                 ELSE [x EXCEPT !.pc = IF now.state = "RETRY" THEN "notOurs" ELSE "look"])
  /\ UNCHANGED <<entry, past, lock, doc, bulks, fenced, dead, commits, outcomes, late>>

RenameSteps_notOurs(w) ==
  /\ at[w].pc = "notOurs"
  /\ Release(at[w].r, LAMBDA l : ReleasedOfHold(l, at[w].e.own[3]))
  /\ Go(w, "look")
  /\ UNCHANGED <<entry, past, doc, bulks, fenced, dead, count, commits, outcomes, late>>

Numbered(documents) == {<<d, doc[d].seq>> : d \in {d \in documents : ~doc[d].moved}}

\* reads the documents at and above the paths; they may forbid the rename. The point in time of the first pass opens here, before the commit
TreeStore_examine(w) ==
  /\ at[w].pc = "check"
  /\ \/ Put(w, [at[w] EXCEPT !.pc = "commit", !.scan = Numbered(Documents[at[w].r])]) /\ UNCHANGED count
     \/ count.givenUp < MaxGivenUp /\ Counted("givenUp") /\ Put(w, [at[w] EXCEPT !.pc = "end", !.next = "FAILED"])
  /\ UNCHANGED <<entry, past, lock, doc, bulks, fenced, dead, commits, outcomes, late>>

\* the write between the scan of the first pass and its moves
RenameSteps_checkAndCommit(w) ==
  /\ at[w].pc = "commit"
  /\ OwnEntry_write(w, "MOVING", IF at[w].scan = {} THEN "scan" ELSE "move", ~ConditionalCommit)
  /\ UNCHANGED <<lock, doc, bulks, fenced, dead, outcomes, late>>

\* ------------------------------------------------------------------ the move
EmptyNeeded(p) == IF p \in Janitors THEN 2 ELSE 1

\* the documents of a pass that one page may show
Pages(p, found) == {found}

Mover_pass(p) ==
  /\ at[p].pc = "scan"
  /\ LET x == at[p]  found == Numbered(Documents[x.r]) IN
     \E page \in Pages(p, found) :
       Put(p, IF found # {} THEN [x EXCEPT !.pc = "progress", !.scan = page, !.empty = 0]
              ELSE IF x.empty + 1 < EmptyNeeded(p) THEN [x EXCEPT !.empty = @ + 1]
              ELSE [x EXCEPT !.pc = "end", !.next = "DONE", !.empty = 0])
  /\ UNCHANGED <<entry, past, lock, doc, bulks, fenced, dead, count, commits, outcomes, late>>

\* the write of the entry between a page and its moves
JournalEntry_progressed(p) ==
  /\ at[p].pc = "progress"
  /\ OwnEntry_write(p, "MOVING", "move", FALSE)
  /\ UNCHANGED <<lock, doc, bulks, fenced, dead, outcomes, late>>

\* the documents at the source itself move first
NextMoves(p) ==
  LET own == {t \in at[p].scan : t[1] \in OwnDocuments[at[p].r]} IN IF own # {} THEN own ELSE at[p].scan

TreeStore_move(p) ==
  /\ at[p].pc = "move"
  /\ \E t \in NextMoves(p) :
       LET x == at[p] IN
       /\ IF doc[t[1]].seq = t[2]
          THEN /\ doc' = [doc EXCEPT ![t[1]] = [moved |-> TRUE, seq |-> @.seq + 1]]
               /\ late' = (late \/ entry[x.r].state # "MOVING" \/ ~Held(x.r))
          ELSE UNCHANGED <<doc, late>>
       /\ Put(p, [x EXCEPT !.scan = @ \ {t}, !.pc = IF x.scan = {t} THEN "scan" ELSE "move"])
  /\ UNCHANGED <<entry, past, lock, bulks, fenced, dead, count, commits, outcomes>>

Completion_end(p) ==
  /\ at[p].pc = "end"
  /\ LET state == IF at[p].e.state = "MOVING" THEN "DONE" ELSE "FAILED" IN OwnEntry_write(p, state, "release", FALSE)
  /\ UNCHANGED <<lock, doc, bulks, fenced, dead, outcomes, late>>

Completion_releaseAndClose(p) ==
  /\ at[p].pc = "release"
  /\ Release(at[p].r, LAMBDA l : ReleasedOfAll(l, at[p].e.own[3], at[p].r))
  /\ Go(p, "publish")
  /\ UNCHANGED <<entry, past, doc, bulks, fenced, dead, count, commits, outcomes, late>>

Completion_publish(p) ==
  /\ at[p].pc = "publish"
  /\ outcomes' = [outcomes EXCEPT ![at[p].r] = @ \cup {at[p].e.text}]
  /\ Go(p, "close")
  /\ UNCHANGED <<entry, past, lock, doc, bulks, fenced, dead, count, commits, late>>

Completion_publishAndClose(p) ==
  /\ at[p].pc = "close"
  /\ OwnEntry_write(p, "CLOSED", "idle", FALSE)
  /\ UNCHANGED <<lock, doc, bulks, fenced, dead, outcomes, late>>

\* ------------------------------------------------------- death and take-over
Process_dies(p) ==
  /\ p \notin dead /\ at[p].pc # "idle" /\ Cardinality(dead) < MaxDeaths
  /\ dead' = dead \cup {p}
  /\ Put(p, Idle)
  /\ UNCHANGED <<entry, past, lock, doc, bulks, fenced, count, commits, outcomes, late>>

\* a stale read of the entry has no effect, because the write is then refused. The model fences the previous owner in this step,
\* whether it is dead or not. An undecided direct rename ends, because no process repeats it
RollForward_takeOver(j, r) ==
  /\ at[j].pc = "idle" /\ j \notin dead
  /\ entry[r].state \in NeedsOwner
  /\ count.takeOvers < MaxTakeOvers /\ Counted("takeOvers")
  /\ fenced' = fenced \cup ({entry[r].own[1]} \ {j, NoProcess})
  /\ LET e == [entry[r] EXCEPT !.ver = @ + 1, !.own = <<j, @[2] + 1, @[3]>>] IN
     /\ Write(r, e)
     /\ Put(j, [Idle EXCEPT !.r = r, !.e = e, !.pc = CASE e.state = "PREPARED" /\ e.direct /\ DirectRenamesEnd -> "end"
                                                       [] e.state = "PREPARED" -> "reclaim"
                                                       [] e.state = "MOVING" -> "scan"
                                                       [] OTHER -> "release"])
  /\ UNCHANGED <<lock, doc, bulks, dead, commits, outcomes, late>>

LockRelease_release(j) ==
  /\ at[j].pc = "reclaim"
  /\ Release(at[j].r, LAMBDA l : ReleasedOfAll(l, at[j].e.own[3], at[j].r))
  /\ Go(j, "retry")
  /\ UNCHANGED <<entry, past, doc, bulks, fenced, dead, count, commits, outcomes, late>>

RollForward_releaseForRetry(j) ==
  /\ at[j].pc = "retry"
  /\ OwnEntry_write(j, "RETRY", "idle", FALSE)
  /\ UNCHANGED <<lock, doc, bulks, fenced, dead, outcomes, late>>

\* ------------------------------------------------------------- cancellation
\* reads an entry that is not decided
Cancellation_tryCancel(c, r) ==
  /\ at[c].pc = "idle" /\ c \notin dead
  /\ \E now \in Seen(r, 0) :
       /\ now.state \in {"PREPARED", "RETRY"}
       /\ Read(r, now)
       /\ Put(c, [Idle EXCEPT !.pc = "cancel", !.r = r, !.e = now])
  /\ UNCHANGED <<entry, past, lock, doc, bulks, fenced, dead, commits, outcomes, late>>

Cancellation_write(c) ==
  /\ at[c].pc = "cancel"
  /\ LET x == at[c]  r == x.r IN
     /\ IF entry[r].ver = x.e.ver \/ ~ConditionalCancellation
        THEN Write(r, [state |-> "CANCELLED", ver |-> entry[r].ver + 1, own |-> <<NoProcess, x.e.own[2] + 1, x.e.own[3]>>,
                       text |-> <<"CANCELLED", c>>, direct |-> x.e.direct])
        ELSE UNCHANGED <<entry, past>>
     /\ Put(c, [Idle EXCEPT !.pc = "reported"])
  /\ UNCHANGED <<lock, doc, bulks, fenced, dead, count, commits, outcomes, late>>

\* ---------------------------------------------------------------------------
WorkerStep(w) ==
  \/ \E r \in Requests : Kafka_delivers(w, r) \/ Process_renamesDirectly(w, r)
  \/ LockAttempts_attempt(w) \/ Journal_prepare(w) \/ Elasticsearch_losesAnswer(w) \/ LockAttempts_release(w)
  \/ Sweep_sweep(w) \/ LockAttempts_mayAttempt(w) \/ Renamer_continueFrom(w)
  \/ TreeStore_examine(w) \/ RenameSteps_checkAndCommit(w) \/ RenameSteps_notOurs(w)
JanitorStep(j) ==
  \/ \E r \in Requests : RollForward_takeOver(j, r)
  \/ LockRelease_release(j) \/ RollForward_releaseForRetry(j)
Step(p) ==
  \/ OwnEntry_reread(p)
  \/ Mover_pass(p) \/ JournalEntry_progressed(p) \/ TreeStore_move(p)
  \/ Completion_end(p) \/ Completion_releaseAndClose(p) \/ Completion_publish(p) \/ Completion_publishAndClose(p)
  \/ Process_dies(p)
Next ==
  \/ \E w \in Workers : WorkerStep(w)
  \/ \E j \in Janitors : JanitorStep(j)
  \/ \E c \in Cancellers : Cancellation_write(c) \/ \E r \in Requests : Cancellation_tryCancel(c, r)
  \/ \E p \in Processes : Step(p)
  \/ Elasticsearch_applies \/ Elasticsearch_receivesTwice
Spec == Init /\ [][Next]_vars
Sym == Permutations(Workers)

\* -------------------------------------------------------------- what must hold
\* a decided rename holds its whole lock set under the hold id of its entry
Covered == \A r \in Requests : entry[r].state = "MOVING" => Held(r)

\* two renames that conflict are never both between commit and DONE
Locks(r) == UNION {LockSet[r][i][2] : i \in DOMAIN LockSet[r]}
Mutex == \A r, q \in Requests :
  r # q /\ entry[r].state = "MOVING" /\ entry[q].state = "MOVING" => ~Conflict(Locks(r), Locks(q))

NoLateWrite == ~late

\* every hold has an entry
NoLockAlone == \A t \in Tables : \A h \in lock[t].holds : entry[h[1][1]].state # "none"

AtMostOnce == \A r \in Requests : commits[r] <= 1
OneOutcome == \A r \in Requests : Cardinality(outcomes[r]) <= 1
AllMoved == \A r \in Requests : entry[r].text[1] = "DONE" => \A d \in Documents[r] : doc[d].moved
NothingMovedElse == \A r \in Requests : entry[r].state \in {"none", "PREPARED", "RETRY", "FAILED", "CANCELLED"} => \A d \in Documents[r] : ~doc[d].moved

\* a live worker processes each entry that it owns, because no other process does. (A janitor also takes over its own entries.)
HasProcess == \A r \in Requests :
  entry[r].state \in NeedsOwner /\ entry[r].own[1] \in Workers \ (fenced \cup dead)
    => LET x == at[entry[r].own[1]] IN x.r = r /\ x.pc # "idle" /\ (entry[r].state \in Final \/ x.pc # "look")

\* an entry in RETRY needs a delivery, and a direct rename has none: only its own live process may continue it
DirectEnds == \A r \in Requests :
  entry[r].state = "RETRY" /\ entry[r].direct => \E w \in Workers \ dead : at[w].r = r /\ at[w].pc # "idle"

\* ---------------------------------------------------------------- the scenes
Excl(path) == {<<path, "exclusive">>}
\* OneRename uses two tables. In TwoThatMeet, the source of the second rename is below the destination of the first rename
OneRename == << << <<"a", Excl("/a")>>, <<"b", Excl("/b")>> >> >>
TwoThatMeet == << << <<"a", Excl("/a")>>, <<"b", Excl("/b")>> >>,
                  << <<"b", Excl("/b/x")>>, <<"c", Excl("/c")>> >> >>
OneDocument == << {"d"} >>
NoDocument == << {} >>
NoDocumentEach == << {}, {} >>
OneDocumentEach == << {"d"}, {"e"} >>
=============================================================================
