package org.treerename.simulation;

import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.simulation.elasticsearch.TreeDocument;
import org.treerename.simulation.schedule.Chance;

/**
 * Lets the indices of the main tree acknowledge writes before they are on disk. This begins soon after a commit, and
 * lasts until all frozen processes have continued. Soon after the beginning, the nodes of these indices crash and
 * forget the moves that they have acknowledged since then. A rename must not end while it relies on such a move.
 */
final class ForgottenMoves {

    private static final long SOON_NANOS = 10_000_000;

    private final World world;
    private final Chance chance;
    private final Recorder recorder;

    /** Whether the next commit begins the early acknowledgements. */
    private boolean isSet;

    /**
     * @param chance a separate source of random values
     * @param recorder the recorder of the main tree
     */
    ForgottenMoves(World world, Chance chance, Recorder recorder) {
        this.world = world;
        this.chance = chance;
        this.recorder = recorder;
    }

    void plan() {
        if (chance.happens(world.wiring().earlyAcknowledgements())) {
            world.scheduler().after(chance.between(0, Phases.FAULTS_UNTIL / 2), () -> isSet = true);
            // until then, each process has compared the indices again after the crash
            long end = Phases.FAULTS_UNTIL + Faults.LATEST.toNanos();
            world.scheduler().after(end, () -> acknowledgeEarly(false));
        }
    }

    /** Plans the early acknowledgements and the crash if the written entry is the first in MOVING. */
    void wrote(JournalEntry entry) {
        long untilEnd = Phases.FAULTS_UNTIL - world.scheduler().nowNanos();
        if (isSet && entry.state() == State.MOVING && untilEnd > 0) {
            isSet = false;
            long begin = chance.between(0, SOON_NANOS);
            world.scheduler().after(Math.min(begin, untilEnd), () -> acknowledgeEarly(true));
            world.scheduler().after(Math.min(begin + chance.between(0, Phases.SECOND), untilEnd), this::crash);
        }
    }

    private void acknowledgeEarly(boolean isEarly) {
        world.stage()
                .report(
                        "cluster",
                        () -> "acknowledges writes into the main tree "
                                + (isEarly ? "before they are on disk" : "when they are on disk"));
        world.layout().indices().forEach(index -> world.cluster().indices().acknowledgeEarly(index, isEarly));
    }

    private void crash() {
        world.stage().report("cluster", () -> "the nodes of the main tree crash");
        for (String index : world.layout().indices()) {
            world.cluster().indices().crash(index, ForgottenMoves::isMove).forEach(id -> {
                world.stage().happened(Happening.FORGOTTEN_MOVE, "cluster", () -> "forgets the move of " + id);
                recorder.forgot(index, id);
            });
        }
        world.cluster().expirePits();
    }

    private static boolean isMove(TreeDocument before, TreeDocument after) {
        return !Dump.path(before).equals(Dump.path(after))
                && Dump.digest(before).equals(Dump.digest(after));
    }
}
