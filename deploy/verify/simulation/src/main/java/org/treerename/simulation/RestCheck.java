package org.treerename.simulation;

import java.util.ArrayList;
import java.util.List;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.LockTable;
import org.treerename.producer.writer.WriteLocks;
import org.treerename.simulation.elasticsearch.SimulatedJournal;

/** Checks after the end of all faults whether the run is at rest. A run must come to rest in time. */
final class RestCheck {

    private static final long LOOK_EVERY = Phases.SECOND / 4;

    private final World world;
    private final Scene main;
    private final Participants participants;
    private final IndexMadeAgain recreated;
    private final Wakes wakes;

    /** Whether all faults have ended. */
    private boolean isCalm;

    private long restBy = Phases.REST_BY;
    private long lookAt = Phases.FAULTS_UNTIL;

    /**
     * @param main the scene of the main tree
     */
    RestCheck(World world, Scene main, Participants participants, IndexMadeAgain recreated, Waiters waiters) {
        this.world = world;
        this.main = main;
        this.participants = participants;
        this.recreated = recreated;
        this.wakes = new Wakes(world, waiters);
    }

    /** Begins to check whether the run is at rest. The run calls this method when all faults have ended. */
    void calm() {
        isCalm = true;
    }

    /**
     * Returns whether the run is at rest. Checks the world only at intervals. Adds a violation if the run is not at
     * rest in time.
     */
    boolean poll() {
        long now = world.scheduler().nowNanos();
        if (!isCalm || now < lookAt) {
            return false;
        }
        lookAt = now + LOOK_EVERY;
        wakes.poll();
        if (world.isSecondSilent()) {
            endSilenceIfMainTreeIsDone(now);
            return false;
        }
        boolean resting = isResting();
        if (now > restBy) {
            world.stage().violations().add(Point.LIVENESS, "the run did not finish all work: " + unrest());
        }
        return resting;
    }

    /** The second tree answers again when every request for the main tree has ended. It must not delay them. */
    private void endSilenceIfMainTreeIsDone(long now) {
        List<String> unfinished = main.requests().keySet().stream()
                .filter(id -> world.outcomes().of(id).isEmpty() && isUnfinished(id))
                .toList();
        if (unfinished.isEmpty() || now > Phases.REST_BY) {
            unfinished.forEach(id -> world.stage()
                    .violations()
                    .add(Point.LIVENESS, id + " has no outcome, although only another tree does not answer"));
            world.endSilence();
            restBy = now + Phases.REST_BY - Phases.FAULTS_UNTIL;
        }
    }

    private boolean isUnfinished(String requestId) {
        return world.cluster()
                .control(SimulatedJournal.id(requestId), JournalEntry.class)
                .filter(entry -> !isOpen(entry))
                .isEmpty();
    }

    /** Whether {@link #unrest} is empty. Checks the most frequent reasons first, and creates no texts for them. */
    private boolean isResting() {
        return isLogDone()
                && world.cluster().control(JournalEntry.class).stream().noneMatch(this::isOpen)
                && unrest().isEmpty();
    }

    private boolean isLogDone() {
        return main.isLastSent() && world.log().isDone();
    }

    private boolean isOpen(JournalEntry entry) {
        return entry.state() != State.CLOSED
                && !isPlaceholderOfWriter(entry)
                && !DirectService.isPlaceholder(entry)
                && !recreated.isStranded(entry);
    }

    /**
     * A janitor creates the placeholder if a lock arrives after the end of the writer's process. The log has no record
     * for this entry, so a janitor deletes the entry when it is old.
     */
    private static boolean isPlaceholderOfWriter(JournalEntry entry) {
        return entry.state() == State.RETRY && entry.requestId().startsWith(WriteLocks.PREFIX);
    }

    private List<String> unrest() {
        List<String> left = new ArrayList<>();
        if (!isLogDone()) {
            left.add("some requests are not sent, or their offsets are not committed");
        }
        for (JournalEntry entry : world.cluster().control(JournalEntry.class)) {
            if (isOpen(entry)) {
                left.add(entry.requestId() + " is " + entry.state() + ", owned by "
                        + entry.ownership().processId());
            }
        }
        if (world.cluster().openPits() > 0 && !participants.mayHaveLeftPits()) {
            left.add("points in time are open");
        }
        world.cluster().control(LockTable.class).stream()
                .filter(table -> !recreated.isOfStrandedAlone(table))
                .forEach(table -> left.add(table.id() + " has holds "
                        + table.holds().keySet() + ", claims " + table.claims().keySet()));
        return left;
    }
}
