---------------------------- MODULE SharedLocks -----------------------------
(***************************************************************************)
(* Renames in a tree: the exclusive locks on source and destination in one *)
(* lock table or two, and the facts that a rename checks under its locks.  *)
(* Two exclusive locks conflict if one path is at or above the other path, *)
(* so the directories above need no locks. Each request has its own        *)
(* worker, and no process dies. A refused worker releases all its locks    *)
(* and begins again. A search shows the documents of its refresh.          *)
(*                                                                         *)
(* The result must be serial: the decisions in their order are correct one *)
(* after the other, and their replay gives the final tree.                 *)
(*                                                                         *)
(* Not modelled: entries, attempts and deaths (in Attempts and Janitors),  *)
(* claims (in Claims), the documents that a rename replaces, and writers   *)
(* that acquire no locks.                                                  *)
(***************************************************************************)
EXTENDS LockTable, TLC

CONSTANTS
  Scenes,   \* the names of the scenes below that are checked
  \* the guards; FALSE removes a guard
  HoldsAboveSeen,      \* a hold refuses locks at or below its path
  HoldsBelowSeen,      \* a hold refuses locks above its path
  EveryTable,          \* a lock set is held only if each of its tables has granted its part
  ExclusiveOnDestination,
  RefreshUnderLocks,   \* the refresh begins after the locks are held
  ParentChecked,       \* step 3 also reads the parent of the destination
  SegmentBoundary      \* a path that only begins with the same characters as the source is not below the source

Dir(p) == [path |-> p, dir |-> TRUE]
File(p) == [path |-> p, dir |-> FALSE]

\* for each scene: the renames <<source, destination>> and the documents
Scene(name) ==
  CASE name = "same destination" -> [renames |-> << <<"/a", "/c">>, <<"/b", "/c">> >>,
                                     tree |-> <<Dir("/a"), Dir("/b")>>]
    [] name = "into each other" -> [renames |-> << <<"/a", "/b/x">>, <<"/b", "/a/y">> >>,
                                    tree |-> <<Dir("/a"), Dir("/b")>>]
    [] name = "directory and its file" -> [renames |-> << <<"/a", "/c">>, <<"/a/f", "/b/f">> >>,
                                           tree |-> <<Dir("/a"), File("/a/f"), Dir("/b")>>]
    [] name = "into what moves" -> [renames |-> << <<"/a", "/c">>, <<"/f", "/a/f">> >>,
                                    tree |-> <<Dir("/a"), File("/a/g"), File("/f")>>]
    [] name = "away and in its place" -> [renames |-> << <<"/a", "/b">>, <<"/c", "/a">> >>,
                                          tree |-> <<Dir("/a"), File("/a/f"), Dir("/c"), File("/c/f")>>]
    [] name = "neighbours" -> [renames |-> << <<"/a/f", "/b/f">>, <<"/a/g", "/b/g">> >>,
                               tree |-> <<Dir("/a"), File("/a/f"), File("/a/g"), Dir("/b")>>]
    [] name = "a prefix" -> [renames |-> << <<"/a", "/c">>, <<"/ab", "/d">> >>,
                             tree |-> <<Dir("/a"), File("/a/f"), File("/ab")>>]
    [] name = "within one directory" -> [renames |-> << <<"/a/b", "/a/c">>, <<"/a/b/f", "/a/d">> >>,
                                         tree |-> <<Dir("/a"), Dir("/a/b"), File("/a/b/f")>>]
    [] name = "three" -> [renames |-> << <<"/a/f", "/b/f">>, <<"/a/g", "/b/g">>, <<"/a", "/c">> >>,
                          tree |-> <<Dir("/a"), File("/a/f"), File("/a/g"), Dir("/b")>>]

VARIABLES
  scene,
  together,  \* TRUE: all first segments belong to one bucket; FALSE: each first segment has its own table
  tree,      \* the path of each document
  lock,
  at,        \* of the worker of each request
  decided    \* ghost: <<request, TRUE for a commit or FALSE for a rejection>> in the order of the decisions
vars == <<scene, together, tree, lock, at, decided>>

Renames == Scene(scene).renames
Requests == DOMAIN Renames
Documents == DOMAIN Scene(scene).tree
Before == [d \in Documents |-> Scene(scene).tree[d].path]
IsDir(d) == Scene(scene).tree[d].dir
Source(r) == Renames[r][1]
Destination(r) == Renames[r][2]
Locks(r) == {l \in TreeLocks(Source(r), Destination(r)) : ExclusiveOnDestination \/ l[1] # Destination(r)}
Table(path) == IF together THEN "all" ELSE FirstSegment(path)
LockSet(r) ==
  LET names == Sequence({Table(l[1]) : l \in Locks(r)}) IN
  [i \in DOMAIN names |-> <<names[i], {l \in Locks(r) : Table(l[1]) = names[i]}>>]
AllTables == {"all", "/a", "/ab", "/b", "/c", "/d", "/f"}

Init ==
  /\ scene \in Scenes
  /\ together \in BOOLEAN
  /\ tree = Before
  /\ lock = [t \in AllTables |-> EmptyTable]
  /\ at = [r \in Requests |-> [pc |-> IF RefreshUnderLocks THEN "acquire" ELSE "refresh", i |-> 1, got |-> 0, seen |-> <<>>, scan |-> {}]]
  /\ decided = <<>>

IsAt(r, pc) == r \in Requests /\ at[r].pc = pc
Hold(r) == <<r, 1>>
Put(r, x) == at' = [at EXCEPT ![r] = x]
ReleaseAll(r) == lock' = [t \in AllTables |-> ReleasedOfAll(lock[t], Hold(r), r)]

\* the rule of a table; without a guard, the rule ignores one direction of the path relation
Meets(held, part) == (HoldsAboveSeen /\ Covers(held, part)) \/ (HoldsBelowSeen /\ Covers(part, held))
IsRefused(table, part) == \E h \in table.holds : Meets(h[2], part)

\* requests the part of the next table
LockAttempts_attempt(r) ==
  /\ IsAt(r, "acquire")
  /\ LET x == at[r]  set == LockSet(r)
         table == set[x.i][1]  part == set[x.i][2]
         refused == IsRefused(lock[table], part)
         got == x.got + IF refused THEN 0 ELSE 1
         isHeld == got = Len(set) \/ (~EveryTable /\ got > 0) IN
     IF refused /\ (EveryTable \/ (x.i = Len(set) /\ ~isHeld))
     THEN ReleaseAll(r) /\ Put(r, [x EXCEPT !.i = 1, !.got = 0])
     ELSE /\ lock' = IF refused THEN lock ELSE [lock EXCEPT ![table] = Granted(@, Hold(r), part)]
          /\ Put(r, IF x.i < Len(set) THEN [x EXCEPT !.i = @ + 1, !.got = got]
                    ELSE [x EXCEPT !.pc = IF RefreshUnderLocks THEN "refresh" ELSE "check"])
  /\ UNCHANGED <<scene, together, tree, decided>>

\* the refresh before the search for the facts
TreeStore_examine(r) ==
  /\ IsAt(r, "refresh")
  /\ Put(r, [at[r] EXCEPT !.pc = IF RefreshUnderLocks THEN "check" ELSE "acquire", !.seen = tree])
  /\ UNCHANGED <<scene, together, tree, lock, decided>>

Go(r, t) ==
  /\ \E d \in Documents : IsAtOrBelow(t[d], Source(r))
  /\ ~ \E d \in Documents : IsAtOrBelow(t[d], Destination(r))
  /\ ~IsBelow(Destination(r), Source(r))
  /\ HasParent(Destination(r)) /\ ParentChecked => \E d \in Documents : t[d] = Parent(Destination(r)) /\ IsDir(d)

RenameSteps_checkAndCommit(r) ==
  /\ IsAt(r, "check")
  /\ decided' = Append(decided, <<r, Go(r, at[r].seen)>>)
  /\ Put(r, [at[r] EXCEPT !.pc = IF Go(r, at[r].seen) THEN "scan" ELSE "release", !.seen = <<>>])
  /\ UNCHANGED <<scene, together, tree, lock>>

Found(r) == {d \in Documents : IF SegmentBoundary THEN IsAtOrBelow(tree[d], Source(r)) ELSE StartsWith(tree[d], Source(r))}

Mover_pass(r) ==
  /\ IsAt(r, "scan")
  /\ Put(r, [at[r] EXCEPT !.scan = Found(r), !.pc = IF Found(r) = {} THEN "release" ELSE "move"])
  /\ UNCHANGED <<scene, together, tree, lock, decided>>

\* moves one document. Attempts and LateWrites model the check that the document is unchanged since the read
TreeStore_move(r) ==
  /\ IsAt(r, "move")
  /\ \E d \in at[r].scan :
       /\ tree' = IF d \in Found(r) THEN [tree EXCEPT ![d] = NewPath(@, Source(r), Destination(r))] ELSE tree
       /\ Put(r, [at[r] EXCEPT !.scan = @ \ {d}, !.pc = IF at[r].scan = {d} THEN "scan" ELSE "move"])
  /\ UNCHANGED <<scene, together, lock, decided>>

Completion_releaseAndClose(r) ==
  /\ IsAt(r, "release")
  /\ ReleaseAll(r)
  /\ Put(r, [at[r] EXCEPT !.pc = "ended"])
  /\ UNCHANGED <<scene, together, tree, decided>>

Next == \E r \in 1..3 :
  \/ LockAttempts_attempt(r) \/ TreeStore_examine(r) \/ RenameSteps_checkAndCommit(r)
  \/ Mover_pass(r) \/ TreeStore_move(r) \/ Completion_releaseAndClose(r)
Spec == Init /\ [][Next]_vars

\* -------------------------------------------------------------- what must hold
Mutex == \A t \in AllTables : Excluded(lock[t])

Ended == \A r \in Requests : at[r].pc = "ended"

\* the tree after the whole rename in one step
Renamed(t, r) == [d \in Documents |-> IF IsAtOrBelow(t[d], Source(r)) THEN NewPath(t[d], Source(r), Destination(r)) ELSE t[d]]
RECURSIVE Replayed(_, _)
Replayed(t, order) ==
  IF order = <<>> THEN t = tree
  ELSE LET r == Head(order)[1] IN
       Head(order)[2] = Go(r, t) /\ Replayed(IF Head(order)[2] THEN Renamed(t, r) ELSE t, Tail(order))
Serial == Ended => Replayed(Before, decided)

OneEach == Ended => \A d, k \in Documents : tree[d] = tree[k] => d = k
ParentsExist == Ended => \A d \in Documents :
  HasParent(tree[d]) => \E k \in Documents : tree[k] = Parent(tree[d]) /\ IsDir(k)
Left == Ended => \A t \in AllTables : lock[t] = EmptyTable
=============================================================================
