------------------------------- MODULE Replay -------------------------------
(***************************************************************************)
(* This module checks whether Attempts allows a recorded run. Each process *)
(* has recorded its calls to the stores in its own order. The order of     *)
(* calls of different processes is unknown. TLC searches for an order: a   *)
(* behaviour of Attempts in which every call happens with its recorded     *)
(* answer. If such a behaviour exists, NotReplayed breaks. Steps that no   *)
(* process records (reads of entries, single items of a bulk, a delivery)  *)
(* may happen at any time. The last call of a process that died may have   *)
(* had an effect although the recording does not contain it.               *)
(*                                                                         *)
(* A call is a record with the fields call, request, state, process,       *)
(* epoch, hold, claim, answer, number                                      *)
(***************************************************************************)
EXTENDS Attempts

CONSTANTS
  Trace,   \* of each process: its calls
  Died     \* the killed processes

VARIABLES pos,   \* of each process: the number of calls that have happened
          moved, \* of each process: the documents moved since its last recorded move
  shown  \* of each process: the documents on the pages of its present pass
replayed == <<vars, pos, moved, shown>>

More(p) == pos[p] < Len(Trace[p])
Call(p) == Trace[p][pos[p] + 1]
Is(p, call) == More(p) /\ Call(p).call = call /\ Call(p).request = at[p].r
Follows(p) == pos' = [pos EXCEPT ![p] = @ + 1]
Happens(p) == Follows(p) /\ UNCHANGED <<moved, shown>>
Shows(p) == Follows(p) /\ shown' = [shown EXCEPT ![p] = @ + Call(p).number] /\ UNCHANGED moved
Unrecorded == UNCHANGED <<pos, moved, shown>>

\* these operators replace HoldId and Pages of Attempts
TracedHoldId(w) == Call(w).hold
TracedPages(p, found) ==
  IF Is(p, "page") /\ Call(p).number <= Cardinality(found)
  THEN {IF Call(p).state = "AT" THEN {t \in found : t[1] \in OwnDocuments[at[p].r]} ELSE found} \ {{}}
  ELSE IF Is(p, "pass") /\ found = {} THEN {{}} ELSE {}

ReplayInit ==
  /\ Init
  /\ pos = [p \in Processes |-> 0] /\ moved = [p \in Processes |-> 0] /\ shown = [p \in Processes |-> 0]

\* ----------------------------------------------------------- recorded steps
\* the next write of the own entry, and its recorded answer
IsWrite(p, state, own) ==
  /\ Is(p, "write")
  /\ Call(p).state = state /\ <<Call(p).process, Call(p).epoch, Call(p).hold>> = own
OwnIn(p, state) == IF state = "RETRY" THEN <<at[p].e.own[1], at[p].e.own[2], NoHold>> ELSE at[p].e.own
Wrote(p, state, Action(_)) ==
  /\ IsWrite(p, state, OwnIn(p, state))
  /\ \/ /\ Call(p).answer = "unknown" /\ UNCHANGED vars     \* the write has not arrived
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
  /\ Follows(w) /\ shown' = [shown EXCEPT ![w] = 0] /\ UNCHANGED moved

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

\* a page of the point in time that was opened before the last write of the entry; the first page is read before the commit. The page may show
\* documents at the source itself, which have moved
PageOfTheSame(p) ==
  /\ at[p].pc \in {"commit", "move"} /\ moved[p] = 0 /\ Is(p, "page")
  /\ Call(p).number <= Cardinality(Documents[at[p].r])
  /\ UNCHANGED vars /\ Shows(p)

\* without an answer, any of the writes may be missing, and the pass ends early
MovedInPart(p) ==
  /\ at[p].pc = "move" /\ Is(p, "move") /\ Call(p).answer = "unknown"
  /\ Put(p, [at[p] EXCEPT !.pc = "scan", !.scan = {}])
  /\ moved' = [moved EXCEPT ![p] = 0] /\ shown' = [shown EXCEPT ![p] = 0]
  /\ Follows(p)
  /\ UNCHANGED <<entry, past, lock, doc, bulks, fenced, dead, count, commits, outcomes, late>>

\* a pass has found the documents that its pages have shown. Three recorded ends of a pass change nothing in the model: the end of a
\* pass that found documents, the read of the documents at the source itself if all have moved, and an empty pass that is repeated,
\* because a move was not acknowledged. The model does not contain such moves
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

\* a no-op write, and the repeated outcome
AnsweredFromJournal(w) ==
  /\ at[w].pc = "look" /\ Is(w, "write") /\ Call(w).state = entry[at[w].r].state
  /\ IF Call(w).answer = "written"
     THEN /\ pos[w] + 2 <= Len(Trace[w]) /\ Trace[w][pos[w] + 2].call = "publish"
          /\ Renamer_continueFrom(w) /\ at'[w].pc = "idle"
          /\ pos' = [pos EXCEPT ![w] = @ + 2] /\ UNCHANGED <<moved, shown>>
     ELSE UNCHANGED vars /\ Happens(w)

ReleasesClaims(w) ==
  /\ at[w].pc = "look" /\ Is(w, "release") /\ Call(w).hold = NoHold
  /\ UNCHANGED vars /\ Happens(w)

\* ------------------------------------------------------- steps that are not recorded
ContinuesRefused(w) ==
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
       \/ Prepared(w) \/ AnsweredFromJournal(w) \/ ReleasesClaims(w)
       \/ Released(w, at[w].hold, 0, LockAttempts_release)
       \/ Released(w, at[w].e.own[3], 0, RenameSteps_notOurs)
       \/ Wrote(w, "MOVING", RenameSteps_checkAndCommit)
       \/ Unrecorded /\ (Begins(w) \/ Sends(w) \/ ContinuesRefused(w) \/ LockAttempts_mayAttempt(w) \/ Looks(w)
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
