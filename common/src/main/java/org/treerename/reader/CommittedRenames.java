package org.treerename.reader;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockMode;
import org.treerename.path.Namespace;
import org.treerename.path.TreePath;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.WriteTarget;
import org.treerename.store.Version;

/**
 * The renames that a view shows as done, as far as some of their documents may not have moved yet: decided from the readings before and after the
 * opening of a point in time. The section <em>Readers</em> of {@code protocol.md} has the argument. One thread calls it, for one view.
 */
final class CommittedRenames {

    private final Namespace namespace;
    private final TreePath path;
    private final LockReading first;

    /** Those whose documents the point in time may show at either path. */
    private final Map<String, CommittedRename> open = new LinkedHashMap<>();

    /** Those of which every copy of the tree shows the end, and those that are open. */
    private final Set<String> decided = new HashSet<>();

    private final Set<CommittedRename> gone = new HashSet<>();
    private final List<String> problems = new ArrayList<>();
    private @Nullable Version cut;

    CommittedRenames(Namespace namespace, TreePath path, LockReading first) {
        this.namespace = namespace;
        this.path = path;
        this.first = first;
        first.held().forEach((id, rename) -> {
            decided.add(id);
            cut(rename);
            if (!first.hasMoved(id) && !first.isReleased(rename, namespace.name()) && rename.isRelatedTo(path)) {
                open.put(id, rename);
            }
        });
    }

    /** Returns the paths at which another rename or writer can make the view wrong. */
    Set<TreePath> concerned() {
        Set<TreePath> concerned = new HashSet<>(Set.of(path));
        open.values().forEach(rename -> {
            concerned.add(rename.source());
            concerned.add(rename.destination());
        });
        return concerned;
    }

    /**
     * Compares the first reading with one that began after the point in time was opened.
     *
     * @return whether a rename was committed in between, so that another reading must show whether it was the only one
     */
    boolean compare(LockReading second) {
        open.values().stream().filter(rename -> hasLeft(rename, second)).forEach(gone::add);
        released(first, second, rename -> true);
        boolean isNew = add(second, rename -> true);
        gone.forEach(rename -> refuseWritersAt(rename.source(), second));
        return isNew;
    }

    /** A hold of a rename that is done may be that of its first request, which has arrived again. In between, its source was free for others. */
    private boolean hasLeft(CommittedRename rename, LockReading second) {
        return second.hasMoved(rename.requestId()) || second.isReleased(rename, namespace.name());
    }

    /** Adds the renames of a later reading that were committed before the last one of the earlier reading. */
    void complete(LockReading second, LockReading third) {
        Version last = cut;
        if (last != null) {
            released(second, third, rename -> !rename.decidedIn().isLaterThan(last));
            add(third, rename -> !rename.decidedIn().isLaterThan(last));
        }
    }

    /** Returns why the view shows no one state of the tree; empty if it shows one. */
    Optional<String> problem() {
        List<CommittedRename> all = List.copyOf(open.values());
        for (CommittedRename one : all) {
            for (CommittedRename other : all) {
                if (!one.equals(other) && one.isRelatedTo(other)) {
                    return Optional.of(one + " and " + other + " follow each other");
                }
            }
        }
        return problems.stream().findFirst();
    }

    /** Returns the renames. Where there is a problem, those that do not follow each other, the latest ones first. */
    List<CommittedRename> disjoint() {
        List<CommittedRename> disjoint = new ArrayList<>();
        List<CommittedRename> latestFirst = new ArrayList<>(open.values());
        latestFirst.sort((one, other) -> one.decidedIn().isLaterThan(other.decidedIn()) ? -1 : 1);
        for (CommittedRename rename : latestFirst) {
            if (disjoint.stream().noneMatch(rename::isRelatedTo)) {
                disjoint.add(rename);
            }
        }
        return disjoint;
    }

    private boolean add(LockReading reading, Predicate<CommittedRename> counts) {
        boolean isNew = false;
        Collection<CommittedRename> held = reading.held().values();
        for (CommittedRename rename : held) {
            if (isConcerned(rename) && counts.test(rename) && decided.add(rename.requestId())) {
                isNew = true;
                cut(rename);
                open.put(rename.requestId(), rename);
                if (reading.isClosed(rename.requestId())) {
                    problems.add(rename + " has ended and holds a lock");
                }
            }
        }
        return isNew;
    }

    /** A rename that came and went may have moved some of its documents when the point in time was opened. */
    private void released(LockReading before, LockReading after, Predicate<CommittedRename> counts) {
        Optional<Set<String>> released = after.releasedSince(before);
        if (released.isEmpty()) {
            problems.add("more renames have ended than the lock tables name");
            return;
        }
        for (String id : released.get()) {
            if (!decided.contains(id)) {
                JournalEntry entry = after.entry(id);
                if (entry == null) {
                    problems.add("request " + id + " has left the lock tables and has no entry");
                } else {
                    refuseDecided(entry, counts);
                    refuseWriter(entry);
                }
            }
        }
    }

    private void refuseDecided(JournalEntry entry, Predicate<CommittedRename> counts) {
        CommittedRename.of(entry, namespace.notation())
                .filter(this::isConcerned)
                .filter(counts)
                .ifPresent(rename -> problems.add(rename + " came and went"));
    }

    private void refuseWriter(JournalEntry entry) {
        WriteTarget writeTarget = entry.writeTarget();
        if (writeTarget != null) {
            List<TreePath> directories = writeTarget.directories().stream()
                    .filter(text -> namespace.notation().problem(text).isEmpty())
                    .map(namespace.notation()::path)
                    .toList();
            for (CommittedRename rename : gone) {
                if (directories.stream().anyMatch(directory -> canCreateAt(rename.source(), directory))) {
                    problems.add("a writer was at " + rename.source() + " when " + rename + " ended");
                }
            }
        }
    }

    /** What a writer creates at a source that a rename has just left would be shown at the destination. */
    private void refuseWritersAt(TreePath source, LockReading reading) {
        boolean isThere = reading.holds()
                .flatMap(held -> held.paths().entrySet().stream())
                .filter(lock -> lock.getValue() == LockMode.SHARED)
                .anyMatch(lock -> canCreateAt(source, lock.getKey()));
        if (isThere) {
            problems.add("a writer is at " + source + ", which a rename has just left");
        }
    }

    private static boolean canCreateAt(TreePath source, TreePath directory) {
        return directory.isAtOrBelow(source) || directory.equals(source.parent());
    }

    private boolean isConcerned(CommittedRename rename) {
        return concerned().stream().anyMatch(rename::isRelatedTo);
    }

    private void cut(CommittedRename rename) {
        if (cut == null || rename.decidedIn().isLaterThan(cut)) {
            cut = rename.decidedIn();
        }
    }
}
