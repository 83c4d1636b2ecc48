package org.treerename.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.LockTable;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.TreePath;
import org.treerename.simulation.schedule.Chance;
import org.treerename.tree.Document;
import org.treerename.tree.Rename;

/**
 * Deletes an index of a tree, and creates an index with the same name and the same documents, as an administrator may
 * do. In some runs, the mapping of the new index hides the documents from searches, until the administrator notices it
 * and creates the index once more. If a rename was decided before the deletion and has not ended, the rename is
 * stranded: it is parked for ever. The services cannot know that the documents are the same. In half of the runs, one
 * node does not learn of the new index for some time.
 *
 * <p>No document in the new index has a version that a process has read in the old index. The protocol assumes that no
 * index is created again between the comparison of the indices and the writes that rely on this comparison. In two
 * kinds of runs no index is created again:
 * <ul>
 *   <li>Runs in which another system gives the versions. In these runs, the new index would accept a late write as
 *       well.
 *   <li>Runs in which requests wait long for locks. In these runs, many requests would wait for the locks of a stranded
 *       rename.
 * </ul>
 */
final class IndexMadeAgain {

    private static final double SHARE = 0.1;
    private static final double AFTER_A_COMMIT = 0.7;
    private static final double UNKNOWN_TO_A_NODE = 0.5;
    private static final long SOON_NANOS = 25_000_000;
    private static final long LONGEST_UNFIT_NANOS = 2 * Phases.SECOND;
    private static final Duration SHORT_WAIT = Duration.ofSeconds(1);

    private final World world;
    private final List<Tree> trees;
    private final Chance chance;

    /** Whether an index of the tree is created again soon after the next write of a MOVING entry. */
    private boolean awaitsAMove;

    private boolean mayBeUnfit;

    private boolean isOver;

    IndexMadeAgain(World world, List<Tree> trees, Chance chance) {
        this.world = world;
        this.trees = trees;
        this.chance = chance;
    }

    /** @param haveReaders whether the run has readers, which do not examine the mapping of an index */
    void plan(boolean haveReaders, long untilNanos) {
        boolean waitsLong = world.settings().lockWait().compareTo(SHORT_WAIT) > 0;
        if (waitsLong || world.files().rules().version() != VersionOwner.SEQ_NO || !chance.happens(SHARE)) {
            return;
        }
        mayBeUnfit = !haveReaders && world.settings().granularity() != Granularity.DOCUMENT;
        boolean awaits = chance.happens(AFTER_A_COMMIT);
        world.scheduler().after(chance.between(0, untilNanos - 1), () -> {
            if (awaits) {
                awaitsAMove = true;
            } else {
                makeAgain(chance.of(trees));
            }
        });
        world.scheduler().after(untilNanos, () -> isOver = true);
    }

    /** Plans to create an index again, if the run waits for a MOVING entry and the written entry is MOVING. */
    void wrote(JournalEntry entry) {
        if (awaitsAMove && entry.state() == State.MOVING) {
            awaitsAMove = false;
            Tree tree = trees.stream()
                    .filter(any -> any.hasRequest(entry.requestId()))
                    .findFirst()
                    .orElseThrow();
            world.scheduler().after(chance.between(0, SOON_NANOS), () -> makeAgain(tree));
        }
    }

    private void makeAgain(Tree tree) {
        if (isOver) {
            return;
        }
        String index = chance.of(tree.layout().indices());
        world.stage()
                .happened(
                        Happening.INDEX_MADE_AGAIN,
                        "cluster",
                        () -> "deletes the index " + index + " and creates it again");
        if (chance.happens(UNKNOWN_TO_A_NODE)) {
            int node = world.nextNode();
            world.cluster().indices().becomeOld(node);
            world.scheduler()
                    .after(
                            chance.between(0, 3 * Phases.SECOND),
                            () -> world.cluster().indices().learn(node));
        }
        if (mayBeUnfit && chance.happens(world.wiring().unfitMappings())) {
            makeUnfit(index);
        } else {
            world.cluster().indices().makeAgain(index);
        }
        if (world.cluster().control(JournalEntry.class).stream().anyMatch(this::hasLostItsIndex)) {
            world.stage().tally().count(Happening.STRANDED_RENAME);
        }
    }

    private void makeUnfit(String index) {
        world.stage()
                .happened(Happening.UNFIT_INDEX, "cluster", () -> "the mapping of " + index + " hides its documents");
        world.cluster().indices().makeUnfit(index);
        world.scheduler().after(chance.between(1, LONGEST_UNFIT_NANOS), () -> {
            world.stage().report("cluster", () -> "creates " + index + " once more, with the right mapping");
            world.cluster().indices().makeAgain(index);
        });
    }

    private boolean hasLostItsIndex(JournalEntry entry) {
        return (entry.state() == State.MOVING || entry.state() == State.PARKED)
                && entry.decided().orElseThrow().indices().entrySet().stream()
                        .anyMatch(index -> !world.cluster().isStill(index.getKey(), index.getValue()));
    }

    /** Returns whether a rename is parked for ever because its index was created again. */
    boolean isStranded(JournalEntry entry) {
        return entry.state() == State.PARKED && hasLostItsIndex(entry);
    }

    List<JournalEntry> stranded() {
        return world.cluster().control(JournalEntry.class).stream()
                .filter(this::isStranded)
                .toList();
    }

    Set<String> strandedRequests() {
        return stranded().stream().map(JournalEntry::requestId).collect(Collectors.toSet());
    }

    /** Returns whether all holds and claims of a lock table belong to stranded renames. */
    boolean isOfStrandedAlone(LockTable table) {
        Set<String> holdIds = stranded().stream()
                .map(entry -> String.valueOf(entry.ownership().holdId()))
                .collect(Collectors.toSet());
        return holdIds.containsAll(table.holds().keySet())
                && strandedRequests().containsAll(table.claims().keySet());
    }

    /**
     * Changes the found paths as if the stranded renames of a tree were completed.
     *
     * @param found the path of each document, by document id
     * @param expected the path of each document after the end of all decided renames
     */
    void finish(Witness witness, SortedMap<String, String> found, Map<String, String> expected) {
        for (JournalEntry entry : stranded()) {
            witness.rename(entry).ifPresent(rename -> {
                entry.decided().orElseThrow().removals().stream()
                        .map(Document.Ref::id)
                        .filter(id -> !expected.containsKey(id))
                        .forEach(id -> found.remove(id, rename.destination().text()));
                found.replaceAll((id, path) -> isLeft(rename, path, expected.get(id)) ? rename.newPath(path) : path);
            });
        }
    }

    private static boolean isLeft(Rename rename, String path, @Nullable String expected) {
        return new TreePath(path).isAtOrBelow(rename.source())
                && rename.newPath(path).equals(expected);
    }
}
