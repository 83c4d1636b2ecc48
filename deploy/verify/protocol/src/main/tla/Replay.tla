------------------------------- MODULE Replay -------------------------------
(***************************************************************************)
(* Is a recorded run one that Attempts allows? Each process has recorded   *)
(* its calls into the stores, in its own order; nothing is known of the    *)
(* order between processes. TLC looks for one: a way through Attempts in   *)
(* which every call happens with the answer that it had. If there is one,  *)
(* NotReplayed breaks. What nobody records (reads of entries, the items of *)
(* a bulk one by one, a delivery) may happen at any time. Of a process     *)
(* that died, the last call may have happened although it is not told.     *)
(*                                                                         *)
(* A call is a record with the fields                                      *)
(*   call, request, state, process, epoch, hold, claim, answer, number     *)
(***************************************************************************)
EXTENDS Attempts

CONSTANTS
  Trace,   \* of each process: its calls
  Died     \* processes that were killed

VARIABLES pos,   \* of each process: how many of them have happened
          moved, \* of each process: documents moved since its last move was recorded
  shown  \* of each process: documents on the pages of its present pass
replayed == <<vars, pos, moved, shown>>

More(p) == pos[p] < Len(Trace[p])
Call(p) == Trace[p][pos[p] + 1]
Is(p, call) == More(p) /\ Call(p).call = call /\ Call(p).request = at[p].r
Follows(p) == pos' = [pos EXCEPT ![p] = @ + 1]
Happens(p) == Follows(p) /\ UNCHANGED <<moved, shown>>
Shows(p) == Follows(p) /\ shown' = [shown EXCEPT ![p] = @ + Call(p).number] /\ UNCHANGED moved
Unrecorded == UNCHANGED <<pos, moved, shown>>

\* in the places of Attempts' own
TracedHoldId(w) == Call(w).hold
TracedPages(p, found) ==
  IF Is(p, "page") /\ Call(p).number <= Cardinality(found)
  THEN {IF Call(p).state = "AT" THEN {t \in found : t[1] \in OwnDocuments[at[p].r]} ELSE found} \ {{}}
  ELSE IF Is(p, "pass") /\ found = {} THEN {{}} ELSE {}

ReplayInit ==
  /\ Init
  /\ pos = [p \in Processes |-> 0] /\ moved = [p \in Processes |-> 0] /\ shown = [p \in Processes |-> 0]

\* ----------------------------------------------------------- what is recorded
\* the write of the own entry that the process makes next, and the answer that it had
IsWrite(p, state, own) ==
  /\ Is(p, "write")
  /\ Call(p).state = state /\ <<Call(p).process, Call(p).epoch, Call(p).hold>> = own
OwnIn(p, state) == IF state = "RETRY" THEN <<at[p].e.own[1], at[p].e.own[2], NoHold>> ELSE at[p].e.own
Wrote(p, state, Action(_)) ==
  /\ IsWrite(p, state, OwnIn(p, state))
  /\ \/ /\ Call(p).answer = "unknown" /\ UNCHANGED vars     \* it has not arrived
     \/ /\ Action(p)
        /\ Call(p).answer = IF at'[p].pc = "reread" THEN "refused" ELSE IF at'[p] = at[p] THEN "unknown" ELSE "written"
  /\ Happens(p)

Prepared(w) ==
  /\ Is(w, "prepare")
  /\ \/ /\ Call(w).answer = "unknown" /\ Elasticsearch_losesAnswer(w)
     \/ /\ Journal_prepare(w)
        /\ \E b \in bulks :
             /\ b.n = at[w].bulk
             /\ b.own = <<Call(w).process, Call(w).epoch, Call(w).hold>>
             /\ Call(w).answer = IF b.written = 0 THEN "refused" ELSE "written"
             /\ Call(w).number = IF Took(b) THEN 1 ELSE 0
  /\ Happens(w)

Released(p, hold, claim, Action(_)) ==
  /\ Is(p, "release") /\ Call(p).hold = hold /\ Call(p).claim = claim
  /\ IF Call(p).answer = "unknown" THEN UNCHANGED vars ELSE Action(p)
  /\ Happens(p)

Published(p) ==
  /\ Is(p, "publish")
  /\ IF Call(p).answer = "unknown" THEN UNCHANGED vars ELSE Completion_publish(p)
  /\ Happens(p)

Moved(p) ==
  /\ at[p].pc = "move" /\ Is(p, "move")
  /\ TreeStore_move(p)
  /\ LET now == moved[p] + (IF doc' # doc THEN 1 ELSE 0) IN
     \/ at'[p].pc = "move" /\ moved' = [moved EXCEPT ![p] = now] /\ UNCHANGED <<pos, shown>>
     \/ /\ Call(p).answer = "unknown" \/ Call(p).number = now
        /\ moved' = [moved EXCEPT ![p] = 0]
        /\ shown' = [shown EXCEPT ![p] = IF Call(p).answer = "unknown" THEN 0 ELSE @]
        /\ Follows(p)

\* a page of the point in time that was opened before the last write of the entry; it may show own documents, which have moved
PageOfTheSame(p) ==
  /\ at[p].pc = "move" /\ moved[p] = 0 /\ Is(p, "page")
  /\ Call(p).number <= Cardinality(Documents[at[p].r])
  /\ UNCHANGED vars /\ Shows(p)

\* where no answer came, any of its writes have not arrived, and the pass breaks off
MovedInPart(p) ==
  /\ at[p].pc = "move" /\ Is(p, "move") /\ Call(p).answer = "unknown"
  /\ Put(p, [at[p] EXCEPT !.pc = "scan", !.scan = {}])
  /\ moved' = [moved EXCEPT ![p] = 0] /\ shown' = [shown EXCEPT ![p] = 0]
  /\ Follows(p)
  /\ UNCHANGED <<entry, past, lock, doc, bulks, fenced, dead, count, commits, outcomes, late>>

\* a pass has found what its pages have shown. The end of a pass that has found something says nothing else, nor does the reading of
\* the source's own documents where all are gone, nor an empty pass that is looked after once more, because a move was not acknowledged, which the model does not know
PassEnds(p) ==
  /\ at[p].pc = "scan" /\ Is(p, "pass")
  /\ Call(p).number = shown[p]
  /\ \/ Call(p).number > 0
     \/ Call(p).state = "AT"
     \/ /\ pos[p] + 2 <= Len(Trace[p]) /\ Trace[p][pos[p] + 2].call = "pass"
        /\ Numbered(Documents[at[p].r]) = {}
  /\ Call(p).number = 0 => \A d \in OwnDocuments[at[p].r] : doc[d].moved
  /\ shown' = [shown EXCEPT ![p] = 0]
  /\ Follows(p)
  /\ UNCHANGED <<vars, moved>>

TakesOver(j) ==
  /\ More(j) /\ Call(j).call = "write" /\ at[j].pc = "idle"
  /\ LET r == Call(j).request IN
     /\ Call(j).process = j /\ Call(j).state = entry[r].state
     /\ IF Call(j).answer = "written"
        THEN RollForward_takeOver(j, r) /\ entry'[r].own = <<j, Call(j).epoch, Call(j).hold>>
        ELSE UNCHANGED vars
  /\ Happens(j)

\* a touch, and the outcome once more
AnsweredFromJournal(w) ==
  /\ at[w].pc = "look" /\ Is(w, "write") /\ Call(w).state = entry[at[w].r].state
  /\ IF Call(w).answer = "written"
     THEN /\ pos[w] + 2 <= Len(Trace[w]) /\ Trace[w][pos[w] + 2].call = "publish"
          /\ Renamer_continueFrom(w) /\ at'[w].pc = "idle"
          /\ pos' = [pos EXCEPT ![w] = @ + 2] /\ UNCHANGED <<moved, shown>>
     ELSE UNCHANGED vars /\ Happens(w)

\* a dead hold that refused: the touch of its entry, and its release
TouchesDead(w) ==
  /\ at[w].pc = "refused" /\ More(w) /\ Call(w).call = "write"
  /\ LET r == Call(w).request IN
     /\ Call(w).state = entry[r].state
     /\ IF Call(w).answer = "written" THEN entry' = [entry EXCEPT ![r].ver = @ + 1] ELSE UNCHANGED entry
  /\ UNCHANGED <<past, lock, doc, bulks, at, fenced, dead, count, commits, outcomes, late>>
  /\ Happens(w)
ReleasesDead(w) ==
  /\ at[w].pc = "refused" /\ More(w) /\ Call(w).call = "release" /\ IsDead(Call(w).hold)
  /\ Release(at[w].r, LAMBDA l : ReleasedOfHold(l, Call(w).hold))
  /\ UNCHANGED <<entry, past, doc, bulks, at, fenced, dead, count, commits, outcomes, late>>
  /\ Happens(w)
TakesClaimsBack(w) ==
  /\ at[w].pc = "look" /\ Is(w, "release") /\ Call(w).hold = NoHold
  /\ UNCHANGED vars /\ Happens(w)

\* ------------------------------------------------------- what nobody records
GoesOnRefused(w) ==
  /\ at[w].pc = "refused"
  /\ Put(w, [at[w] EXCEPT !.pc = IF Is(w, "prepare") THEN "go" ELSE "end"])
  /\ UNCHANGED <<entry, past, lock, doc, bulks, fenced, dead, count, commits, outcomes, late>>
DiesAfter(p) ==
  /\ p \in Died /\ pos[p] = Len(Trace[p])
  /\ \/ p \in Workers /\ (Journal_prepare(p) \/ LockAttempts_release(p) \/ RenameSteps_checkAndCommit(p) \/ RenameSteps_notOurs(p))
     \/ p \in Janitors /\ (LockRelease_release(p) \/ RollForward_releaseForRetry(p) \/ \E r \in Requests : RollForward_takeOver(p, r))
     \/ JournalEntry_progressed(p) \/ TreeStore_move(p) \/ Completion_end(p) \/ Completion_releaseAndClose(p)
     \/ Completion_publish(p) \/ Completion_publishAndClose(p)
  /\ pos' = [pos EXCEPT ![p] = IF at[p].pc = "move" THEN @ ELSE @ + 1] /\ UNCHANGED <<moved, shown>>
Begins(w) == More(w) /\ Call(w).call \in {"prepare", "write"} /\ Kafka_delivers(w, Call(w).request)
Sends(w) == Is(w, "prepare") /\ LockAttempts_attempt(w)
Looks(w) == Renamer_continueFrom(w) /\ at'[w].pc # "idle"

ReplayNext ==
  \/ \E w \in Workers :
       \/ Prepared(w) \/ AnsweredFromJournal(w) \/ TouchesDead(w) \/ ReleasesDead(w) \/ TakesClaimsBack(w)
       \/ Released(w, at[w].hold, 0, LockAttempts_release)
       \/ Released(w, at[w].e.own[3], 0, RenameSteps_notOurs)
       \/ Wrote(w, "MOVING", RenameSteps_checkAndCommit)
       \/ Unrecorded /\ (Begins(w) \/ Sends(w) \/ GoesOnRefused(w) \/ LockAttempts_mayAttempt(w) \/ Looks(w)
                         \/ TreeStore_examine(w))
  \/ \E j \in Janitors :
       \/ TakesOver(j)
       \/ Released(j, at[j].e.own[3], at[j].r, LockRelease_release)
       \/ Wrote(j, "RETRY", RollForward_releaseForRetry)
  \/ \E p \in Processes :
       \/ Wrote(p, "MOVING", JournalEntry_progressed)
       \/ Wrote(p, IF at[p].e.state \in {"MOVING", "DONE"} THEN "DONE" ELSE "FAILED", Completion_end)
       \/ Released(p, at[p].e.own[3], at[p].r, Completion_releaseAndClose)
       \/ Published(p)
       \/ Wrote(p, "CLOSED", Completion_publishAndClose)
       \/ Moved(p) \/ MovedInPart(p) \/ PageOfTheSame(p) \/ PassEnds(p)
       \/ Is(p, "page") /\ Mover_pass(p) /\ Shows(p)
       \/ Is(p, "pass") /\ Call(p).number = 0 /\ shown[p] = 0 /\ Call(p).state # "AT" /\ Mover_pass(p) /\ Happens(p)
       \/ Unrecorded /\ OwnEntry_reread(p)
       \/ DiesAfter(p)
  \/ Unrecorded /\ Elasticsearch_applies
ReplaySpec == ReplayInit /\ [][ReplayNext]_replayed

NotReplayed == \E p \in Processes : More(p)
=============================================================================
