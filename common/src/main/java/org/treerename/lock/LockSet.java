package org.treerename.lock;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.treerename.path.Path;

/**
 * Every lock that one rename or one writer needs, by path: taken whole or not at all.
 *
 * @param open whether more is locked under the same hold, which is not known beforehand: what is given back of such a set is
 *     given back wherever the hold stands
 */
public record LockSet(String namespace, SortedMap<Path, LockMode> modes, boolean open) {

    /** Of what takes no lock. */
    public static final LockSet NONE = new LockSet("", new TreeMap<>());

    public LockSet {
        modes = Collections.unmodifiableSortedMap(new TreeMap<>(modes));
    }

    /** One that is all there is. */
    public LockSet(String namespace, SortedMap<Path, LockMode> modes) {
        this(namespace, modes, false);
    }

    /**
     * The tree locks of a rename: exclusive on source and destination, shared on every proper ancestor of both, never on
     * the root; a path needed in both modes once, as exclusive.
     */
    public static LockSet tree(String namespace, Path source, Path destination) {
        SortedMap<Path, LockMode> modes = new TreeMap<>();
        for (Path end : new Path[] {source, destination}) {
            end.properAncestors().forEach(ancestor -> modes.put(ancestor, LockMode.SHARED));
        }
        for (Path end : new Path[] {source, destination}) {
            if (!end.isRoot()) {
                modes.put(end, LockMode.EXCLUSIVE);
            }
        }
        return new LockSet(namespace, modes);
    }

    /**
     * The locks of somebody who writes into directories: shared on each and on every directory above it, never on the root.
     * Renames of any of these are kept out, and such as would put something in its place; renames of what lies in them, and
     * other writers, are not.
     */
    public static LockSet writing(String namespace, Collection<Path> directories) {
        SortedMap<Path, LockMode> modes = new TreeMap<>();
        for (Path directory : directories) {
            directory.properAncestors().forEach(ancestor -> modes.put(ancestor, LockMode.SHARED));
            if (!directory.isRoot()) {
                modes.put(directory, LockMode.SHARED);
            }
        }
        return new LockSet(namespace, modes);
    }

    /** The same, and more than is known yet. */
    public LockSet opened() {
        return new LockSet(namespace, modes, true);
    }

    /** The one lock of a whole namespace, on its root. */
    public static LockSet whole(String namespace, Path root, LockMode mode) {
        return new LockSet(namespace, new TreeMap<>(Map.of(root, mode)));
    }

    public boolean conflictsWith(LockSet other) {
        return namespace.equals(other.namespace)
                && modes.entrySet().stream().anyMatch(mine -> isRefusedBy(mine, other));
    }

    private static boolean isRefusedBy(Map.Entry<Path, LockMode> mine, LockSet other) {
        LockMode theirs = other.modes.get(mine.getKey());
        return theirs != null && !theirs.isCompatibleWith(mine.getValue());
    }
}
