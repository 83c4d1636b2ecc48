------------------------------- MODULE Paths --------------------------------
(***************************************************************************)
(* Paths as strings, and what a rename makes of them: Path.java,           *)
(* Rename.newPath and LockSet.tree.                                        *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

Char(path, i) == SubSeq(path, i, i)
StartsWith(path, prefix) == Len(prefix) <= Len(path) /\ SubSeq(path, 1, Len(prefix)) = prefix

IsBelow(path, other) == StartsWith(path, other \o "/")
IsAtOrBelow(path, other) == path = other \/ IsBelow(path, other)

\* never the root: nobody locks it
ProperAncestors(path) == {SubSeq(path, 1, i - 1) : i \in {i \in 2..Len(path) : Char(path, i) = "/"}}
HasParent(path) == ProperAncestors(path) # {}
Parent(path) == CHOOSE p \in ProperAncestors(path) : \A q \in ProperAncestors(path) : Len(q) <= Len(p)

NewPath(path, source, destination) == destination \o SubSeq(path, Len(source) + 1, Len(path))

RECURSIVE Sequence(_)
Sequence(set) == IF set = {} THEN <<>> ELSE LET x == CHOOSE x \in set : TRUE IN <<x>> \o Sequence(set \ {x})

\* of a path below the root; the root has a table of its own, which only the granularity "global" locks
FirstSegment(path) ==
  IF HasParent(path) THEN CHOOSE p \in ProperAncestors(path) : \A q \in ProperAncestors(path) : Len(p) <= Len(q) ELSE path

\* the locks of a rename, as <<path, mode>>; the directories above them need none
TreeLocks(source, destination) == {<<source, "exclusive">>, <<destination, "exclusive">>}
=============================================================================
