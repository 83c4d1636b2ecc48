package org.treerename.simulation;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.treerename.journal.WriteTarget;
import org.treerename.path.TreePath;
import org.treerename.producer.writer.LockedException;
import org.treerename.producer.writer.WriteHold;
import org.treerename.producer.writer.WriteLocks;
import org.treerename.producer.writer.WriterProcess;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedTreeStore;
import org.treerename.simulation.schedule.Chance;
import org.treerename.store.NoAnswerException;

/**
 * Runs a writer that uses locks. The writer acquires the lock of an existing directory, and creates files in this
 * directory while the writer holds the lock. The writes arrive without a delay, because the protocol makes no guarantee
 * for writes that arrive after the loss of the lock.
 */
final class WriterService extends Service {

    private static final int LOOKS = 20;
    private static final int MOST_FILES = 4;
    private static final long NOT_STARTED_NANOS = 60_000_000;
    private static final long FINISHED_NANOS = 400_000_000;
    private static final long LONGEST_REST_NANOS = 1_000_000_000;
    private static final long LONGEST_PAUSE_NANOS = 400_000_000;

    private final Witness witness;
    private final Chance chance;
    private final long untilNanos;
    private boolean acknowledged;
    private int written;

    /**
     * @param chance a separate source of random values, so that the writer does not change the other random values of a
     *     run
     * @param untilNanos the time after which the writer creates no more files
     */
    WriterService(World world, Witness witness, Chance chance, String name, long untilNanos) {
        super(world, name);
        this.witness = witness;
        this.chance = chance;
        this.untilNanos = untilNanos;
    }

    /** Returns true, because the safety of a writer's writes depends on the lease. */
    @Override
    boolean checksLease() {
        return true;
    }

    @Override
    LongConsumer beginning(SimulatedProcess process) {
        acknowledged = false;
        return sentNanos -> acknowledged = true;
    }

    @Override
    void work(SimulatedProcess process) {
        WriterProcess writer = new WriterProcess(
                new WriteLocks(process.stores().all(), process.context()), process.context(), Runnable::run);
        SimulatedTreeStore tree = new SimulatedTreeStore(
                world().network().quietWire(process.actor(), Duration.ofSeconds(2)), world().cluster(), 1);
        Duration every = world().settings().lease().length().dividedBy(LOOKS);
        world().scheduler().begin(process.actor(), () -> {
            while (!process.context().stop().isRequested()) {
                writer.watch();
                process.time().pause(every);
            }
        });
        while (!process.context().stop().isRequested()) {
            if (world().scheduler().nowNanos() >= untilNanos) {
                world().scheduler().pause(FINISHED_NANOS);
            } else if (acknowledged) {
                world().scheduler().pause(chance.between(0, LONGEST_REST_NANOS));
                act(process, writer, tree);
            } else {
                world().scheduler().pause(NOT_STARTED_NANOS);
            }
        }
    }

    private void act(SimulatedProcess process, WriterProcess writer, SimulatedTreeStore tree) {
        String who = process.actor().name();
        List<String> directories = directories();
        String directory = chance.of(directories);
        try (WriteHold hold = writer.take(
                new WriteTarget("files", List.of(directory)),
                world().settings().lockWait(),
                process.context().stop().part())) {
            hold.onLoss(
                    () -> world().stage().happened(Happening.LOST_HOLD, who, () -> "loses the hold of " + directory));
            witness.holds(hold);
            int files = 1 + chance.below(MOST_FILES);
            for (int i = 0; i < files && hold.stillHeld() && directories().contains(directory); i++) {
                written++;
                TreePath path = new TreePath(directory).child(who + "-" + written);
                world().layout().put(tree, Witness.HELD + who + "-" + written, path, "file", written);
                world().scheduler().pause(chance.between(0, LONGEST_PAUSE_NANOS));
            }
        } catch (LockedException | IllegalStateException | NoAnswerException e) {
            world().stage().report(who, e::getMessage);
        }
    }

    private List<String> directories() {
        return world().main().documents(world().cluster()).stream()
                .map(Cluster.StoredDocument::document)
                .filter(document -> "directory".equals(document.text("type")))
                .map(document -> String.valueOf(document.text("path")))
                .toList();
    }
}
