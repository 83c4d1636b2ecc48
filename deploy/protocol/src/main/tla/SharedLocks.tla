---------------------------- MODULE SharedLocks -----------------------------
(***************************************************************************)
(* Renames in a tree: exclusive locks on source and destination, shared    *)
(* ones on every directory above them, and the facts that are checked      *)
(* under them. Each request has a worker of its own; nobody dies. A        *)
(* refused worker gives all back and begins again. A search sees what was  *)
(* there at its refresh.                                                   *)
(*                                                                         *)
(* What must come out: the decisions in their order are a serial order,    *)
(* each true at its place, and their replay is the tree at the end.        *)
(*                                                                         *)
(* Not modelled: entries, attempts, deaths (Attempts and Janitors have     *)
(* them), claims (Claims has them), what a rename replaces, writers        *)
(* that take no locks.                                                     *)
(***************************************************************************)
EXTENDS Paths, LockDocument, TLC

CONSTANTS
  Scenes,   \* which of those below are looked at
  \* the guards; FALSE leaves one out
  SharedOnAncestors,
  ExclusiveOnDestination,
  RefreshUnderLocks,   \* the refresh begins when the locks are held
  ParentChecked,       \* step 3 asks for the destination's parent, too
  SegmentBoundary      \* what only begins like the source is not below it

Dir(p) == [path |-> p, dir |-> TRUE]
File(p) == [path |-> p, dir |-> FALSE]

\* of each scene the renames <<source, destination>> and the documents
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
    [] name = "three" -> [renames |-> << <<"/a/f", "/b/f">>, <<"/a/g", "/b/g">>, <<"/a", "/c">> >>,
                          tree |-> <<Dir("/a"), File("/a/f"), File("/a/g"), Dir("/b")>>]

VARIABLES
  scene,
  tree,      \* the path of each document
  lock,
  at,        \* of each request's worker
  decided    \* ghost: <<request, yes or no>> in the order of the decisions
vars == <<scene, tree, lock, at, decided>>

Renames == Scene(scene).renames
Requests == DOMAIN Renames
Documents == DOMAIN Scene(scene).tree
Before == [d \in Documents |-> Scene(scene).tree[d].path]
IsDir(d) == Scene(scene).tree[d].dir
Source(r) == Renames[r][1]
Destination(r) == Renames[r][2]
LockSet(r) == Sequence({l \in TreeLocks(Source(r), Destination(r)) :
                          /\ SharedOnAncestors \/ l[2] = "exclusive"
                          /\ ExclusiveOnDestination \/ l[1] # Destination(r)})
AllLocks == {"/a", "/ab", "/b", "/c", "/d", "/f", "/a/f", "/a/g", "/a/y", "/b/f", "/b/g", "/b/x"}

Init ==
  /\ scene \in Scenes
  /\ tree = Before
  /\ lock = [p \in AllLocks |-> Nobody]
  /\ at = [r \in Requests |-> [pc |-> IF RefreshUnderLocks THEN "acquire" ELSE "refresh", i |-> 1, seen |-> <<>>, scan |-> {}]]
  /\ decided = <<>>

IsAt(r, pc) == r \in Requests /\ at[r].pc = pc
Hold(r) == <<r, 1>>
Put(r, x) == at' = [at EXCEPT ![r] = x]
GiveBack(r) == lock' = [p \in AllLocks |-> ReleasedOfAll(lock[p], Hold(r), r)]

\* the next lock of the set
Acquisition_attempt(r) ==
  /\ IsAt(r, "acquire")
  /\ LET path == LockSet(r)[at[r].i][1]  mode == LockSet(r)[at[r].i][2]
         taken == [Taken(lock[path], Hold(r), mode) EXCEPT !.claims = {}] IN
     IF ~IsHeldBy(taken, Hold(r))
     THEN GiveBack(r) /\ Put(r, [at[r] EXCEPT !.i = 1])
     ELSE /\ lock' = [lock EXCEPT ![path] = taken]
          /\ Put(r, IF at[r].i < Len(LockSet(r)) THEN [at[r] EXCEPT !.i = @ + 1]
                    ELSE [at[r] EXCEPT !.pc = IF RefreshUnderLocks THEN "refresh" ELSE "check"])
  /\ UNCHANGED <<scene, tree, decided>>

\* the refresh that the search of the facts begins with
TreeStore_examine(r) ==
  /\ IsAt(r, "refresh")
  /\ Put(r, [at[r] EXCEPT !.pc = IF RefreshUnderLocks THEN "check" ELSE "acquire", !.seen = tree])
  /\ UNCHANGED <<scene, tree, lock, decided>>

Go(r, t) ==
  /\ \E d \in Documents : IsAtOrBelow(t[d], Source(r))
  /\ ~ \E d \in Documents : IsAtOrBelow(t[d], Destination(r))
  /\ ~IsBelow(Destination(r), Source(r))
  /\ HasParent(Destination(r)) /\ ParentChecked => \E d \in Documents : t[d] = Parent(Destination(r)) /\ IsDir(d)

Renamer_checkAndCommit(r) ==
  /\ IsAt(r, "check")
  /\ decided' = Append(decided, <<r, Go(r, at[r].seen)>>)
  /\ Put(r, [at[r] EXCEPT !.pc = IF Go(r, at[r].seen) THEN "scan" ELSE "release", !.seen = <<>>])
  /\ UNCHANGED <<scene, tree, lock>>

Found(r) == {d \in Documents : IF SegmentBoundary THEN IsAtOrBelow(tree[d], Source(r)) ELSE StartsWith(tree[d], Source(r))}

Mover_pass(r) ==
  /\ IsAt(r, "scan")
  /\ Put(r, [at[r] EXCEPT !.scan = Found(r), !.pc = IF Found(r) = {} THEN "release" ELSE "move"])
  /\ UNCHANGED <<scene, tree, lock, decided>>

\* one document; that it is still the one that was read is Attempts' and LateWrites' matter
TreeStore_move(r) ==
  /\ IsAt(r, "move")
  /\ \E d \in at[r].scan :
       /\ tree' = IF d \in Found(r) THEN [tree EXCEPT ![d] = NewPath(@, Source(r), Destination(r))] ELSE tree
       /\ Put(r, [at[r] EXCEPT !.scan = @ \ {d}, !.pc = IF at[r].scan = {d} THEN "scan" ELSE "move"])
  /\ UNCHANGED <<scene, lock, decided>>

Completion_releaseAndClose(r) ==
  /\ IsAt(r, "release")
  /\ GiveBack(r)
  /\ Put(r, [at[r] EXCEPT !.pc = "ended"])
  /\ UNCHANGED <<scene, tree, decided>>

Next == \E r \in 1..3 :
  \/ Acquisition_attempt(r) \/ TreeStore_examine(r) \/ Renamer_checkAndCommit(r)
  \/ Mover_pass(r) \/ TreeStore_move(r) \/ Completion_releaseAndClose(r)
Spec == Init /\ [][Next]_vars

\* -------------------------------------------------------------- what must hold
Mutex == \A p \in AllLocks : \A g, h \in lock[p].holds : g = h \/ Compatible(g[2], h[2])

Ended == \A r \in Requests : at[r].pc = "ended"

\* the same rename done at once, by somebody who knows paths
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
Left == Ended => \A p \in AllLocks : lock[p] = Nobody
=============================================================================
