------------------------------- MODULE Paths --------------------------------
(***************************************************************************)
(* Paths as strings, and the new path of a document after a rename:        *)
(* TreePath.java, Rename.newPath and LockSet.tree.                         *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

Char(path, i) == SubSeq(path, i, i)
StartsWith(path, prefix) == Len(prefix) <= Len(path) /\ SubSeq(path, 1, Len(prefix)) = prefix

IsBelow(path, other) == StartsWith(path, other \o "/")
IsAtOrBelow(path, other) == path = other \/ IsBelow(path, other)

\* the root is excluded, because no request locks it
ProperAncestors(path) == {SubSeq(path, 1, i - 1) : i \in {i \in 2..Len(path) : Char(path, i) = "/"}}
HasParent(path) == ProperAncestors(path) # {}
Parent(path) == CHOOSE p \in ProperAncestors(path) : \A q \in ProperAncestors(path) : Len(q) <= Len(p)

NewPath(path, source, destination) == destination \o SubSeq(path, Len(source) + 1, Len(path))

RECURSIVE Sequence(_)
Sequence(set) == IF set = {} THEN <<>> ELSE LET x == CHOOSE x \in set : TRUE IN <<x>> \o Sequence(set \ {x})

\* the first segment of a path below the root. The root has a table of its own, and only the granularity "global" locks it
FirstSegment(path) ==
  IF HasParent(path) THEN CHOOSE p \in ProperAncestors(path) : \A q \in ProperAncestors(path) : Len(p) <= Len(q) ELSE path

\* the locks of a rename, as <<path, mode>>. The directories above these paths need no locks
TreeLocks(source, destination) == {<<source, "exclusive">>, <<destination, "exclusive">>}
=============================================================================
