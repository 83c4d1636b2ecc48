package org.treerename.lock;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.treerename.path.TreePath;

/**
 * The locks that one rename or one writer needs, by path. All locks of the set are granted together, or none of them is
 * granted. The set contains no locks for the directories above its paths, because {@link LockTable#conflict} detects
 * that one path is above another path.
 */
public record LockSet(String namespace, SortedMap<TreePath, LockMode> modes, Extent extent) {

    /** The lock tables that contain a lock set. */
    public enum Extent {
        /** For each path, the table of its bucket ({@link LockTable}). */
        TABLES,
        /**
         * The tables of {@link #TABLES}, and tables of single documents, which are not known in advance. All these
         * tables contain the same hold. A release finds the tables of single documents by the hold id.
         */
        TABLES_AND_DOCUMENTS,
        /** For each path, the table of the single document at this path. */
        DOCUMENTS
    }

    /** The empty lock set, for a request that needs no lock. */
    public static final LockSet NONE = new LockSet("", new TreeMap<>());

    public LockSet {
        modes = Collections.unmodifiableSortedMap(new TreeMap<>(modes));
    }

    public LockSet(String namespace, SortedMap<TreePath, LockMode> modes) {
        this(namespace, modes, Extent.TABLES);
    }

    /** Returns the locks of a rename: exclusive locks on the source and the destination. The root gets no lock. */
    public static LockSet tree(String namespace, TreePath source, TreePath destination) {
        SortedMap<TreePath, LockMode> modes = new TreeMap<>();
        for (TreePath end : new TreePath[] {source, destination}) {
            if (!end.isRoot()) {
                modes.put(end, LockMode.EXCLUSIVE);
            }
        }
        return new LockSet(namespace, modes);
    }

    /**
     * Returns the locks of a writer: a shared lock on each directory, except the root. These locks exclude a rename of
     * a locked directory, or of a directory above a locked directory. These locks also exclude a rename that replaces a
     * locked directory. The locks do not exclude renames inside the directories, or other writers.
     */
    public static LockSet ofWriter(String namespace, Collection<TreePath> directories) {
        SortedMap<TreePath, LockMode> modes = new TreeMap<>();
        for (TreePath directory : directories) {
            if (!directory.isRoot()) {
                modes.put(directory, LockMode.SHARED);
            }
        }
        return new LockSet(namespace, modes);
    }

    /** Returns one lock on the root, which covers the whole namespace. */
    public static LockSet whole(String namespace, TreePath root, LockMode mode) {
        return new LockSet(namespace, new TreeMap<>(Map.of(root, mode)));
    }

    /** Returns exclusive locks on the paths of single documents. */
    public static LockSet documents(String namespace, Collection<TreePath> paths) {
        SortedMap<TreePath, LockMode> modes = new TreeMap<>();
        paths.forEach(path -> modes.put(path, LockMode.EXCLUSIVE));
        return new LockSet(namespace, modes, Extent.DOCUMENTS);
    }

    /** Returns a copy of this lock set with the extent {@link Extent#TABLES_AND_DOCUMENTS}. */
    public LockSet opened() {
        return new LockSet(namespace, modes, Extent.TABLES_AND_DOCUMENTS);
    }

    /** Returns whether the hold of this set may also be in tables that {@link #parts} does not contain. */
    public boolean isOpen() {
        return extent == Extent.TABLES_AND_DOCUMENTS;
    }

    /** Returns the locks of this set, grouped by lock table. */
    public SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts() {
        SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts = new TreeMap<>();
        modes.forEach((path, mode) ->
                parts.computeIfAbsent(table(path), id -> new TreeMap<>()).put(path, mode));
        return parts;
    }

    private LockTable.Id table(TreePath path) {
        return extent == Extent.DOCUMENTS ? LockTable.Id.ofDocument(namespace, path) : LockTable.Id.of(namespace, path);
    }

    public boolean conflictsWith(LockSet other) {
        return namespace.equals(other.namespace)
                && modes.entrySet().stream()
                        .anyMatch(mine -> other.modes.entrySet().stream()
                                .anyMatch(theirs -> LockTable.conflict(
                                        mine.getKey(), mine.getValue(), theirs.getKey(), theirs.getValue())));
    }
}
