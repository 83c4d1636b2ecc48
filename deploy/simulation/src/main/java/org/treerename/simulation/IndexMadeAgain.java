package org.treerename.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.treerename.lock.LockDocument;
import org.treerename.path.VersionOwner;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.State;
import org.treerename.simulation.schedule.Chance;

/**
 * An administrator deletes an index of a tree and makes it again under its name, with the same documents. What was decided before and has
 * not ended stays parked: nothing tells that these are the documents that were meant.
 *
 * <p>No version of the new index is one that somebody has read in the old one, because the protocol assumes that an index is not
 * made again between the comparison of the indices and the writes that rely on it. Where another system gives the versions, a
 * write that arrives late is accepted whatever was read, so there no index is made again; nor where requests wait long for
 * the locks of what stays parked, one after the other.
 */
final class IndexMadeAgain {

    private static final double SHARE = 0.1;
    private static final double AFTER_A_COMMIT = 0.7;
    private static final long SOON_NANOS = 25_000_000;
    private static final Duration SHORT_WAIT = Duration.ofSeconds(1);

    private final World world;
    private final List<Tree> trees;
    private final Chance chance;

    /** Whether the next rename that is decided, or goes on, loses its index soon after. */
    private boolean awaitsACommit;

    IndexMadeAgain(World world, List<Tree> trees, Chance chance) {
        this.world = world;
        this.trees = trees;
        this.chance = chance;
    }

    void plan(long untilNanos) {
        boolean waitsLong = world.settings().lockWait().compareTo(SHORT_WAIT) > 0;
        if (waitsLong || world.files().rules().version() != VersionOwner.SEQ_NO || !chance.happens(SHARE)) {
            return;
        }
        boolean awaits = chance.happens(AFTER_A_COMMIT);
        world.scheduler().after(chance.between(0, untilNanos - 1), () -> {
            if (awaits) {
                awaitsACommit = true;
            } else {
                makeAgain(chance.of(trees));
            }
        });
        world.scheduler().after(untilNanos, () -> awaitsACommit = false);
    }

    /** An entry was written. */
    void wrote(JournalEntry entry) {
        if (awaitsACommit && entry.state() == State.MOVING) {
            awaitsACommit = false;
            Tree tree = trees.stream()
                    .filter(any -> any.hasRequest(entry.requestId()))
                    .findFirst()
                    .orElseThrow();
            world.scheduler().after(chance.between(0, SOON_NANOS), () -> makeAgain(tree));
        }
    }

    private void makeAgain(Tree tree) {
        String index = chance.of(tree.layout().indices());
        world.stage().happened(Happening.INDEX_MADE_AGAIN, "cluster", () -> "makes the index " + index + " again");
        world.cluster().makeAgain(index);
        if (world.cluster().control(JournalEntry.class).stream().anyMatch(this::hasLostItsIndex)) {
            world.stage().tally().count(Happening.RENAME_OF_ANOTHER_INDEX);
        }
    }

    /** Whether a rename that was decided and has not ended was decided for an index that is gone. */
    private boolean hasLostItsIndex(JournalEntry entry) {
        return (entry.state() == State.MOVING || entry.state() == State.PARKED)
                && entry.decided().orElseThrow().indices().entrySet().stream()
                        .anyMatch(index -> !world.cluster().isStill(index.getKey(), index.getValue()));
    }

    /** Whether a rename is parked because its index is gone. */
    boolean leaves(JournalEntry entry) {
        return entry.state() == State.PARKED && hasLostItsIndex(entry);
    }

    /** Returns the renames that stay parked. */
    List<JournalEntry> left() {
        return world.cluster().control(JournalEntry.class).stream()
                .filter(this::leaves)
                .toList();
    }

    /** Whether all that stands in a lock document belongs to renames that stay parked. */
    boolean leavesNothingElse(LockDocument lock) {
        Set<String> holdIds = left().stream()
                .map(entry -> String.valueOf(entry.ownership().holdId()))
                .collect(Collectors.toSet());
        return holdIds.containsAll(lock.holds().keySet())
                && leftRequests().containsAll(lock.claims().keySet());
    }

    Set<String> leftRequests() {
        return left().stream().map(JournalEntry::requestId).collect(Collectors.toSet());
    }
}
