------------------------------ MODULE Readers -------------------------------
(***************************************************************************)
(* A reader that shows each committed rename as if the whole rename had    *)
(* happened at its commit, while the documents still move one by one. The  *)
(* reader reads which renames are committed and not closed, opens a point  *)
(* in time, reads again, and applies this map to the documents of the      *)
(* point in time.                                                          *)
(*                                                                         *)
(* A reading is a realtime read of the lock tables, one after the other,   *)
(* and then of the entry of each hold found there, one after the other. A  *)
(* table counts its releases, and keeps the ids of the requests that were  *)
(* released last. So a reading also shows which requests have left the     *)
(* tables since the reading before. From the renames that it finds, a      *)
(* reader considers only those that concern the requested path.            *)
(*                                                                         *)
(* The reader repeats all steps if it cannot decide what the point in time *)
(* shows. In the model the reader then ends: the next try is a new reader. *)
(* A try may need more tables than the try before. In the model the reader *)
(* chooses any tables in addition to the table of its path.                *)
(*                                                                         *)
(* Each document has its own shard, which is the worst case. A search      *)
(* shows any of the paths that the document had since its last refresh,    *)
(* and the point in time opens one shard after the other.                  *)
(*                                                                         *)
(* Not modelled: deaths and take-overs (for a reader such a rename only    *)
(* takes longer), claims, documents that a rename replaces, deletions,     *)
(* pages (all use one point in time and one map), the deletion of entries  *)
(* and tables, and writers that acquire no locks. A commit and the refresh *)
(* of its check are one step, and so are the end and the refresh before    *)
(* it. One writer locks the source of the first rename after its end,      *)
(* creates one document there, and releases the lock. The model does not   *)
(* check that a reader that repeats ever answers.                          *)
(***************************************************************************)
EXTENDS LockTable, TLC

CONSTANTS
  Scenes,       \* the names of the scenes below that are checked
  Together,     \* the checked values of the variable together
  Kept,         \* the number of ids that a table keeps of released requests
  MaxLate,      \* late repetitions of lock requests, granted after the end of their renames
  MaxRefused,   \* attempts that their second table refuses
  Moving,       \* the renames that continue after the commit; the other renames stop there, so that there are fewer states
  \* the guards; FALSE removes a guard
  SecondReading,       \* the reader reads again after it has opened the point in time
  RealtimeEntries,     \* entries are read by realtime reads, not by a search
  TablesFirst,         \* a reading begins with the tables, so it has the entries of all holds found there
  MapOfBoth,           \* the map also contains the renames that the second reading found
  ClosedLeftOut,       \* a rename that the first reading shows as closed is not in the map, even if a table contains its hold
  CameAndWentNoticed,  \* the reader repeats if a request left that no reading showed as committed or closed
  ReachChecked,        \* the reader repeats if a list of released requests does not reach back to the reading before
  EndNoticed,          \* the reader repeats if the entry of a hold is closed and no earlier reading showed it as committed or closed
  ClosedHasLeft,       \* a rename has also left if its entry is closed and a late repetition has restored its hold
  WritersNoticed,      \* the reader repeats if a writer has or had a lock at the source of a rename that has left since the first
                       \* reading: the map would show the writer's documents at the destination
  SourcesConcern,      \* if a rename concerns the reader, each rename that touches its source also concerns the reader
  SourceTableRead,     \* the reader repeats if it does not read the table of the source of a newly committed rename
  ThirdReading,        \* after a newly committed rename, a third reading finds the renames that were committed before it
  UpToTheLast,         \* the third reading adds no rename that was committed after all renames of the second reading
  Disjoint,            \* the reader repeats if two renames of the map conflict
  BelowDestination,    \* a query for a path below a destination of the map also looks below the source
  SourceExcluded,      \* a document at or below a source of the map is not found at its physical path
  RefreshBeforeEnd     \* a rename is closed only after a refresh that shows all its moves

Absent == "absent"
Nowhere == "-"

\* for each scene: the renames <<source, destination>>, the documents, the path of the document that the writer creates, and the
\* paths that readers request; "" is the whole tree
Scene(name) ==
  CASE name = "one" -> [renames |-> << <<"/a", "/b">> >>,
                        tree |-> <<"/a", "/a/f">>, written |-> Nowhere, paths |-> {"", "/a", "/b", "/b/f"}]
    [] name = "written in its place" -> [renames |-> << <<"/a", "/b">> >>,
                        tree |-> <<"/a">>, written |-> "/a/n", paths |-> {"", "/a", "/b"}]
    [] name = "in its place" -> [renames |-> << <<"/a", "/b">>, <<"/c", "/a">> >>,
                        tree |-> <<"/a", "/c">>, written |-> Nowhere, paths |-> {"", "/a", "/b", "/c"}]
    [] name = "further" -> [renames |-> << <<"/a", "/b">>, <<"/b", "/c">> >>,
                        tree |-> <<"/a", "/a/f">>, written |-> Nowhere, paths |-> {"", "/c"}]
    [] name = "apart" -> [renames |-> << <<"/a", "/b">>, <<"/c", "/d">> >>,
                        tree |-> <<"/a", "/c">>, written |-> Nowhere, paths |-> {""}]
    [] name = "back" -> [renames |-> << <<"/a", "/b">>, <<"/b", "/a">> >>,
                        tree |-> <<"/a", "/a/f">>, written |-> Nowhere, paths |-> {"", "/a"}]
    [] name = "three apart" -> [renames |-> << <<"/a", "/b">>, <<"/c", "/d">>, <<"/e", "/f">> >>,
                        tree |-> <<"/a", "/c", "/e">>, written |-> Nowhere, paths |-> {""}]
    [] name = "further and apart" -> [renames |-> << <<"/a", "/b">>, <<"/b", "/c">>, <<"/d", "/e">> >>,
                        tree |-> <<"/a", "/d">>, written |-> Nowhere, paths |-> {""}]

VARIABLES
  scene,
  together, \* TRUE: all first segments belong to one bucket; FALSE: each first segment has its own table
  doc,      \* the path of each document
  shown,    \* of each document, the paths that a search may show
  lock,     \* the tables
  left,     \* of each table, the number of releases, and the requests of the last releases
  entry,    \* of each rename, its state and its place in the history
  at,       \* of each rename, the next step
  count,    \* the bounded steps so far, and the number of steps of the writer
  history,  \* ghost: the commits and the writes of new documents, in their order
  reader
vars == <<scene, together, doc, shown, lock, left, entry, at, count, history, reader>>

Renames == Scene(scene).renames
Requests == DOMAIN Renames
Before == Scene(scene).tree
Written == Scene(scene).written
New == Len(Before) + 1
Documents == 1..New
Source(r) == Renames[r][1]
Destination(r) == Renames[r][2]
Locks(r) == TreeLocks(Source(r), Destination(r))
Table(path) == IF together THEN "all" ELSE FirstSegment(path)
AllTables == IF together THEN {"all"} ELSE UNION {{FirstSegment(Source(r)), FirstSegment(Destination(r))} : r \in Requests}
LockSet(r) ==
  LET names == Sequence({Table(l[1]) : l \in Locks(r)}) IN
  [i \in DOMAIN names |-> <<names[i], {l \in Locks(r) : Table(l[1]) = names[i]}>>]
Hold(r) == <<r, 1>>
Writer == 0
WriterDirectory == "/a"
WriterLocks == {<<WriterDirectory, "shared">>}
Max(numbers) == IF numbers = {} THEN 0 ELSE CHOOSE n \in numbers : \A m \in numbers : m <= n

NoReading == [todo |-> {}, holds |-> {}, open |-> {}, ended |-> {}, left |-> {}]

Init ==
  /\ scene \in Scenes
  /\ together \in Together
  /\ doc = [d \in Documents |-> IF d = New THEN Absent ELSE Before[d]]
  /\ shown = [d \in Documents |-> {doc[d]}]
  /\ lock = [t \in AllTables |-> EmptyTable]
  /\ left = [t \in AllTables |-> [count |-> 0, last |-> <<>>]]
  /\ entry = [r \in Requests |-> [state |-> "PREPARED", place |-> 0]]
  /\ at = [r \in Requests |-> [pc |-> "acquire", i |-> 1]]
  /\ count = [late |-> 0, refused |-> 0, writer |-> 0]
  /\ history = <<>>
  /\ reader = [pc |-> "begin"]

\* steps after the end of the reader change nothing
IsAt(r, pc) == r \in Requests /\ at[r].pc = pc /\ reader.pc # "end"
Go(r, pc) == at' = [at EXCEPT ![r] = [pc |-> pc, i |-> 1]]
Last(ids) == IF Len(ids) > Kept THEN SubSeq(ids, Len(ids) - Kept + 1, Len(ids)) ELSE ids
Release(t, r) ==
  /\ lock' = [lock EXCEPT ![t] = ReleasedOfHold(@, Hold(r))]
  /\ left' = [left EXCEPT ![t] = [count |-> @.count + 1, last |-> Last(Append(@.last, r))]]
At(path) == {d \in Documents : IsAtOrBelow(doc[d], path)}
Refreshed(documents) == [d \in Documents |-> IF d \in documents THEN {doc[d]} ELSE shown[d]]

\* ---------------------------------------------------------------- the renames
LockAttempts_attempt(r) ==
  /\ IsAt(r, "acquire")
  /\ LET set == LockSet(r)  i == at[r].i  t == set[i][1] IN
     /\ ~Refuses(lock[t], Hold(r), set[i][2])
     /\ lock' = [lock EXCEPT ![t] = Granted(@, Hold(r), set[i][2])]
     /\ at' = [at EXCEPT ![r] = [pc |-> IF i = Len(set) THEN "commit" ELSE "acquire", i |-> i + 1]]
  /\ UNCHANGED <<scene, together, doc, shown, left, entry, count, history, reader>>

\* the first table has granted its part, and the second table refuses
LockAttempts_release(r) ==
  /\ IsAt(r, "acquire") /\ at[r].i = 2 /\ count.refused < MaxRefused
  /\ LET set == LockSet(r) IN
     /\ Refuses(lock[set[2][1]], Hold(r), set[2][2])
     /\ Release(set[1][1], r)
  /\ Go(r, "acquire")
  /\ count' = [count EXCEPT !.refused = @ + 1]
  /\ UNCHANGED <<scene, together, doc, shown, entry, history, reader>>

\* the check, with its refresh, and then the commit
RenameSteps_checkAndCommit(r) ==
  /\ IsAt(r, "commit")
  /\ IF At(Source(r)) # {} /\ At(Destination(r)) = {}
     THEN /\ shown' = Refreshed(At(Source(r)))
          /\ history' = Append(history, r)
          /\ entry' = [entry EXCEPT ![r] = [state |-> "MOVING", place |-> Len(history) + 1]]
          /\ Go(r, "move")
     ELSE Go(r, "release") /\ UNCHANGED <<shown, history, entry>>
  /\ UNCHANGED <<scene, together, doc, lock, left, count, reader>>

TreeStore_move(r) ==
  /\ IsAt(r, "move") /\ r \in Moving
  /\ \E d \in At(Source(r)) :
       LET path == NewPath(doc[d], Source(r), Destination(r)) IN
       /\ doc' = [doc EXCEPT ![d] = path]
       /\ shown' = [shown EXCEPT ![d] = @ \cup {path}]
  /\ UNCHANGED <<scene, together, lock, left, entry, at, count, history, reader>>

Completion_end(r) ==
  /\ IsAt(r, "move") /\ r \in Moving
  /\ At(Source(r)) = {}
  /\ shown' = IF RefreshBeforeEnd THEN Refreshed(At(Destination(r))) ELSE shown
  /\ entry' = [entry EXCEPT ![r].state = "CLOSED"]
  /\ Go(r, "release")
  /\ UNCHANGED <<scene, together, doc, lock, left, count, history, reader>>

Completion_releaseAndClose(r) ==
  /\ IsAt(r, "release")
  /\ LET set == LockSet(r)  i == at[r].i IN
     /\ Release(set[i][1], r)
     /\ at' = [at EXCEPT ![r] = [pc |-> IF i = Len(set) THEN "ended" ELSE "release", i |-> i + 1]]
  /\ UNCHANGED <<scene, together, doc, shown, entry, count, history, reader>>

\* a late repetition of a lock request, in one of its tables
Elasticsearch_appliesLate(r) ==
  /\ IsAt(r, "ended") /\ count.late < MaxLate
  /\ \E i \in DOMAIN LockSet(r) :
       LET t == LockSet(r)[i][1]  part == LockSet(r)[i][2] IN
       /\ ~Refuses(lock[t], Hold(r), part)
       /\ lock' = [lock EXCEPT ![t] = Granted(@, Hold(r), part)]
  /\ count' = [count EXCEPT !.late = @ + 1]
  /\ UNCHANGED <<scene, together, doc, shown, left, entry, at, history, reader>>

Sweep_sweep(r) ==
  /\ IsAt(r, "ended")
  /\ \E t \in AllTables : IsHeldBy(lock[t], Hold(r)) /\ Release(t, r)
  /\ UNCHANGED <<scene, together, doc, shown, entry, at, count, history, reader>>

\* --------------------------------------------------------------- the writer
WriterIsAt(n) == Written # Nowhere /\ count.writer = n /\ reader.pc # "end"
WriterContinues == count' = [count EXCEPT !.writer = @ + 1]

Other_acquires ==
  /\ WriterIsAt(0) /\ entry[1].state = "CLOSED"
  /\ LET t == Table(WriterDirectory) IN
     /\ ~Refuses(lock[t], Hold(Writer), WriterLocks)
     /\ lock' = [lock EXCEPT ![t] = Granted(@, Hold(Writer), WriterLocks)]
  /\ WriterContinues
  /\ UNCHANGED <<scene, together, doc, shown, left, entry, at, history, reader>>

Other_writes ==
  /\ WriterIsAt(1)
  /\ doc' = [doc EXCEPT ![New] = Written]
  /\ shown' = [shown EXCEPT ![New] = @ \cup {Written}]
  /\ history' = Append(history, 0)
  /\ WriterContinues
  /\ UNCHANGED <<scene, together, lock, left, entry, at, reader>>

Other_releases ==
  /\ WriterIsAt(2)
  /\ Release(Table(WriterDirectory), Writer)
  /\ WriterContinues
  /\ UNCHANGED <<scene, together, doc, shown, entry, at, history, reader>>

\* ----------------------------------------------------------------- the reader
Put(x) == reader' = x
Repeat == [pc |-> "end", answered |-> FALSE]

\* begins the next reading with the tables; without the guard, it begins with the entries of the holds found before
Reading(x, n, holds) ==
  [x EXCEPT !.n = n, !.now = [NoReading EXCEPT !.todo = IF TablesFirst THEN x.tables ELSE holds],
            !.pc = IF TablesFirst THEN "tables" ELSE "entries"]

ReaderBegins ==
  /\ reader.pc = "begin"
  /\ \E path \in Scene(scene).paths : \E tables \in SUBSET AllTables :
       /\ path = "" => tables = AllTables
       /\ path # "" => Table(path) \in tables
       /\ Put(Reading([pc |-> "tables", n |-> 1, path |-> path, tables |-> tables,
                       since |-> [t \in tables |-> 0],                    \* the number of releases at the last reading of a table
                       now |-> NoReading,                                 \* the present reading
                       holds |-> {}, first |-> {}, closed |-> {},         \* of the first reading: its holds, its open renames, its closed renames
                       open |-> {}, gone |-> {}, ended |-> {},            \* the renames that are open, that left since the first reading, and that ended between two readings
                       last |-> 0, point |-> <<>>,                        \* the last commit of the map, and the point in time
                       begin |-> Len(history), unseen |-> {d \in Documents : Absent \in shown[d]}],
                      1, {}))
  /\ UNCHANGED <<scene, together, doc, shown, lock, left, entry, at, count, history>>

\* the requests that have left a table since its last reading; the list may be too short for all of them
LeftSince(t, since) ==
  LET ids == left[t].last  from == Len(ids) - (left[t].count - since) IN
  {ids[i] : i \in {i \in DOMAIN ids : i > from}}
Reaches(t, since) == left[t].count - since <= Len(left[t].last)

ReaderReadsTable ==
  /\ reader.pc = "tables"
  /\ \E t \in reader.now.todo :
       /\ t = CHOOSE t1 \in reader.now.todo : TRUE     \* in a fixed order
       /\ LET x == reader  now == x.now
              since == IF x.n = 1 THEN left[t].count ELSE x.since[t]
              holds == now.holds \cup {h[1][1] : h \in lock[t].holds}
              todo == now.todo \ {t}
              read == [now EXCEPT !.holds = holds, !.todo = todo, !.left = @ \cup LeftSince(t, since)] IN
          Put(IF ReachChecked /\ ~Reaches(t, since) THEN Repeat
              ELSE [x EXCEPT !.since[t] = left[t].count,
                             !.now = IF todo = {} /\ TablesFirst THEN [read EXCEPT !.todo = holds] ELSE read,
                             !.pc = IF todo # {} THEN "tables" ELSE IF holds # {} /\ TablesFirst THEN "entries" ELSE "evaluate"])
  /\ UNCHANGED <<scene, together, doc, shown, lock, left, entry, at, count, history>>

\* the states of an entry that a read may return; a search may return an earlier one
Read(r) ==
  IF r = Writer THEN {"HELD"}
  ELSE IF RealtimeEntries THEN {entry[r].state}
  ELSE {"PREPARED", entry[r].state} \cup IF entry[r].state = "CLOSED" THEN {"MOVING"} ELSE {}

ReaderReadsEntry ==
  /\ reader.pc = "entries"
  /\ LET x == reader  now == x.now
         next == IF TablesFirst THEN "evaluate" ELSE "tables" IN
     IF now.todo = {} THEN Put([x EXCEPT !.pc = next, !.now.todo = IF TablesFirst THEN {} ELSE x.tables])
     ELSE \E r \in now.todo : \E state \in Read(r) :
            LET todo == now.todo \ {r} IN
            Put([x EXCEPT !.now = [now EXCEPT !.todo = IF todo # {} \/ TablesFirst THEN todo ELSE x.tables,
                                              !.open = IF state = "MOVING" THEN @ \cup {r} ELSE @,
                                              !.ended = IF state = "CLOSED" THEN @ \cup {r} ELSE @],
                          !.pc = IF todo # {} THEN "entries" ELSE next])
  /\ UNCHANGED <<scene, together, doc, shown, lock, left, entry, at, count, history>>

\* ------------------------------------------------------------------ the answer
IsIn(r, path) == IsAtOrBelow(path, Source(r))
Mapped(path, r) == NewPath(path, Source(r), Destination(r))
\* the answer to a query for all documents at or below a path, as pairs of a document and its logical path
Found(path, map, point) ==
  LET physical == {<<d, point[d]>> : d \in {d \in Documents : point[d] # Absent}}
      moved(r, from) == {<<p[1], Mapped(p[2], r)>> : p \in {p \in physical : IsAtOrBelow(p[2], from)}} IN
  {p \in physical : IsAtOrBelow(p[2], path) /\ (SourceExcluded => \A r \in map : ~IsIn(r, p[2]))}
  \cup UNION {moved(r, Source(r)) : r \in {r \in map : IsAtOrBelow(Destination(r), path)}}
  \cup IF BelowDestination
       THEN UNION {moved(r, NewPath(path, Destination(r), Source(r))) : r \in {r \in map : IsBelow(path, Destination(r))}}
       ELSE {}

Answer(x, map) ==
  [pc |-> "end", answered |-> TRUE, path |-> x.path, begin |-> x.begin, unseen |-> x.unseen,
   found |-> Found(x.path, map, x.point)]

AreDisjoint(map) == \A r, q \in map : r # q => ~Conflict(Locks(r), Locks(q))

\* the renames that concern some paths: a rename that touches one of the paths, or the source of a rename that concerns the paths
Touches(r, path) == \E p \in {Source(r), Destination(r)} : IsAtOrBelow(p, path) \/ IsAtOrBelow(path, p)
RECURSIVE Concerned(_, _)
Concerned(paths, renames) ==
  LET found == {r \in renames : \E p \in paths : Touches(r, p)} IN
  IF found = {} \/ ~SourcesConcern THEN found
  ELSE found \cup Concerned({Source(r) : r \in found}, renames \ found)

\* a closed rename needs no mapping: after the refresh before its end, no search shows its documents at the source
AfterFirst(x) ==
  LET open == x.now.open \cup IF ClosedLeftOut THEN {} ELSE x.now.ended IN
  [x EXCEPT !.pc = "point", !.first = open, !.open = open, !.closed = x.now.ended,
     !.holds = IF TablesFirst THEN {} ELSE x.now.holds, !.now = NoReading]

\* evaluates the second or the third reading. The entry of a rename contains the place of its commit in the order of all commits
AfterLater(x) ==
  LET now == x.now
      known == x.open \cup x.closed \cup x.gone \cup x.ended
      ended == x.ended \cup (now.ended \ known)
      gone == IF x.n = 3 THEN x.gone
              ELSE {r \in x.open : r \notin now.holds \/ (ClosedHasLeft /\ r \in now.ended)}
      found == {r \in now.open : x.n = 3 /\ UpToTheLast => entry[r].place <= x.last}
      open == x.open \cup IF MapOfBoth THEN found ELSE {}
      concerned == Concerned({x.path}, open \cup ended)
      writers == {Writer} \cap (now.left \cup IF x.n = 2 THEN now.holds ELSE {})
      map == open \cap concerned
      new == map \ x.first IN
  IF \/ CameAndWentNoticed /\ now.left \ (known \cup now.open \cup {Writer}) # {}
     \/ EndNoticed /\ ended \cap concerned # {}
     \/ WritersNoticed /\ writers # {} /\ \E r \in gone : IsAtOrBelow(WriterDirectory, Source(r))
     \/ SourceTableRead /\ \E r \in new : Table(Source(r)) \notin x.tables
     \/ Disjoint /\ ~AreDisjoint(map)
  THEN Repeat
  ELSE IF x.n = 2 /\ new # {} /\ ThirdReading
       THEN Reading([x EXCEPT !.open = open, !.gone = gone, !.ended = ended, !.last = Max({entry[r].place : r \in map})], 3, now.holds)
       ELSE Answer(x, map)

ReaderEvaluates ==
  /\ reader.pc = "evaluate"
  /\ Put(IF reader.n = 1 THEN AfterFirst(reader) ELSE AfterLater(reader))
  /\ UNCHANGED <<scene, together, doc, shown, lock, left, entry, at, count, history>>

\* opens one shard after the other
ReaderOpensPoint ==
  /\ reader.pc = "point"
  /\ LET x == reader  d == Len(x.point) + 1 IN
     \E path \in shown[d] :
       LET y == [x EXCEPT !.point = Append(@, path)] IN
       Put(IF d < New THEN y
           ELSE IF SecondReading THEN Reading(y, 2, y.holds) ELSE Answer(y, y.open))
  /\ UNCHANGED <<scene, together, doc, shown, lock, left, entry, at, count, history>>

\* ---------------------------------------------------------------------------
Next ==
  \/ \E r \in 1..3 :
       \/ LockAttempts_attempt(r) \/ LockAttempts_release(r) \/ RenameSteps_checkAndCommit(r) \/ TreeStore_move(r)
       \/ Completion_end(r) \/ Completion_releaseAndClose(r) \/ Elasticsearch_appliesLate(r) \/ Sweep_sweep(r)
  \/ Other_acquires \/ Other_writes \/ Other_releases
  \/ ReaderBegins \/ ReaderReadsTable \/ ReaderReadsEntry \/ ReaderOpensPoint \/ ReaderEvaluates
Spec == Init /\ [][Next]_vars

\* -------------------------------------------------------------- what must hold
\* the path of each document after the first n commits and writes
RECURSIVE TreeAfter(_)
TreeAfter(n) ==
  IF n = 0 THEN [d \in Documents |-> IF d = New THEN Absent ELSE Before[d]]
  ELSE LET tree == TreeAfter(n - 1)  r == history[n] IN
       IF r = 0 THEN [tree EXCEPT ![New] = Written]
       ELSE [d \in Documents |-> IF IsAtOrBelow(tree[d], Source(r)) THEN Mapped(tree[d], r) ELSE tree[d]]

\* a new document may be missing if no search had to show it when the reader began
IsTree(tree, x) ==
  LET all == {<<d, tree[d]>> : d \in {d \in Documents : tree[d] # Absent /\ IsAtOrBelow(tree[d], x.path)}} IN
  x.found \subseteq all /\ \A p \in all \ x.found : p[1] \in x.unseen

OneInstant ==
  reader.pc = "end" /\ reader.answered => \E n \in reader.begin..Len(history) : IsTree(TreeAfter(n), reader)

Mutex == \A t \in AllTables : Excluded(lock[t])
=============================================================================
