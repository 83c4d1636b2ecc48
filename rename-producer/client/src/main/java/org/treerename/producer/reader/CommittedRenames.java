package org.treerename.producer.reader;

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
import org.treerename.journal.JournalEntry;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.LockMode;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.Version;

/**
 * Finds the open renames of a view: the committed renames whose documents the point in time may show at the old path.
 * Compares the locks before the opening of the point in time with the locks after the opening. The view shows open
 * renames as done. The section <em>Readers</em> of {@code protocol.md} proves that the view shows one state of the
 * tree. Each view has its own instance. Only one thread calls this instance.
 */
final class CommittedRenames {

    private final Namespace namespace;
    private final TreePath path;
    private final LockReading first;

    /** By request id. The point in time may show their documents at the old path or at the new path. */
    private final Map<String, CommittedRename> open = new LinkedHashMap<>();

    /** The open renames, and the renames whose last move is visible in every shard copy of the tree, by request id. */
    private final Set<String> decided = new HashSet<>();

    /** The open renames that ended before the second reading. */
    private final Set<CommittedRename> ended = new HashSet<>();

    private final List<String> problems = new ArrayList<>();

    /** The latest commit that the readings have found. */
    private @Nullable Version cut;

    CommittedRenames(Namespace namespace, TreePath path, LockReading first) {
        this.namespace = namespace;
        this.path = path;
        this.first = first;
        first.held().forEach((id, rename) -> {
            decided.add(id);
            cut(rename);
            if (!first.hasMoved(id) && rename.isRelatedTo(path)) {
                open.put(id, rename);
            }
        });
    }

    /** Returns the paths at which a writer or a further rename can make the view inconsistent. */
    Set<TreePath> concerned() {
        Set<TreePath> concerned = new HashSet<>(Set.of(path));
        open.values().forEach(rename -> {
            concerned.add(rename.source());
            concerned.add(rename.destination());
        });
        return concerned;
    }

    /**
     * Compares the first reading with a reading that began after the point in time was opened.
     *
     * @return whether a rename was committed between the two readings. If so, a third reading must find the renames
     *     that were committed before this rename
     */
    boolean compare(LockReading second) {
        open.values().stream().filter(rename -> hasEnded(rename, second)).forEach(ended::add);
        released(first, second, rename -> true);
        boolean isNew = add(second, rename -> true);
        ended.forEach(rename -> refuseWritersAt(rename.source(), second));
        return isNew;
    }

    /**
     * If all documents have moved according to the journal, the rename has ended, even if it has a hold: a repeated
     * request may have acquired this hold after other requests could lock the source.
     */
    private boolean hasEnded(CommittedRename rename, LockReading second) {
        return second.hasMoved(rename.requestId()) || second.isReleased(rename, namespace.name());
    }

    /** Adds the renames of the third reading that were committed up to the latest commit of the second reading. */
    void complete(LockReading second, LockReading third) {
        Version last = cut;
        if (last != null) {
            released(second, third, rename -> !rename.decidedIn().isLaterThan(last));
            add(third, rename -> !rename.decidedIn().isLaterThan(last));
        }
    }

    /** Returns the reason why the view does not show one state of the tree; empty if the view shows one state. */
    Optional<String> problem() {
        List<CommittedRename> all = List.copyOf(open.values());
        for (CommittedRename one : all) {
            for (CommittedRename other : all) {
                if (!one.equals(other) && one.isRelatedTo(other)) {
                    return Optional.of(one + " and " + other
                            + " overlap, so one rename was committed after the end of the other rename");
                }
            }
        }
        return problems.stream().findFirst();
    }

    /**
     * Returns the open renames, the latest first. If several open renames are related, returns only the latest of these
     * renames.
     */
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
                if (reading.hasMoved(rename.requestId())) {
                    problems.add(rename + ": either this rename moved all documents during the last try, or a"
                            + " late request has locked its paths again");
                }
            }
        }
        return isNew;
    }

    /**
     * Adds a problem for each rename that was committed and released its locks between two readings: it may have moved
     * only some of its documents when the point in time was opened.
     */
    private void released(LockReading before, LockReading after, Predicate<CommittedRename> counts) {
        Optional<Set<String>> released = after.releasedSince(before);
        if (released.isEmpty()) {
            problems.add("too many renames ended during the last try, so the lock tables no longer list all of them");
            return;
        }
        for (String id : released.get()) {
            if (!decided.contains(id)) {
                JournalEntry entry = after.entry(id);
                if (entry == null) {
                    problems.add("request " + id + " has released its locks and has no journal entry");
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
                .ifPresent(rename -> problems.add(rename + " was committed and ended during the last try"));
    }

    private void refuseWriter(JournalEntry entry) {
        WriteTarget writeTarget = entry.writeTarget();
        if (writeTarget != null) {
            List<TreePath> directories = writeTarget.directories().stream()
                    .filter(text -> namespace.notation().problem(text).isEmpty())
                    .map(namespace.notation()::path)
                    .toList();
            for (CommittedRename rename : ended) {
                if (directories.stream().anyMatch(directory -> canCreateAt(rename.source(), directory))) {
                    problems.add("a writer held " + rename.source() + " or its parent when " + rename + " ended");
                }
            }
        }
    }

    /** The view would show a document at the destination although the writer creates this document at the source. */
    private void refuseWritersAt(TreePath source, LockReading reading) {
        boolean isThere = reading.holds()
                .flatMap(held -> held.paths().entrySet().stream())
                .filter(lock -> lock.getValue() == LockMode.SHARED)
                .anyMatch(lock -> canCreateAt(source, lock.getKey()));
        if (isThere) {
            problems.add("a writer holds " + source + " or its parent, and a rename has just moved all documents from "
                    + source);
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
