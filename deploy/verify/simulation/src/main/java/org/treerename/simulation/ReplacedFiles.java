package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.treerename.journal.JournalEntry;
import org.treerename.path.TreePath;
import org.treerename.simulation.elasticsearch.SimulatedTreeStore;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Chance;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.Rename;

/**
 * A program without locks. The program creates files of outside writers ({@link OutsideWriter}) again, with the same
 * ids. The program waits until a rename has replaced a file and the journal entry of the rename shows the replacement.
 * After a random delay, the program creates the file again.
 */
final class ReplacedFiles {

    /** The prefix of the names of the program's actors. */
    static final String PREFIX = Witness.OUTSIDE + "again-";

    private static final double CREATED_AGAIN = 0.7;
    private static final long LATEST_NANOS = 4_000_000_000L;

    private final World world;
    private final Chance chance;
    private final long untilNanos;
    private final List<Replaced> replaced = new ArrayList<>();
    private int written;

    /** A document that a rename has removed from the destination of the rename. */
    private record Replaced(String requestId, String id, TreePath path) {}

    /**
     * @param chance a separate source of random values
     * @param untilNanos the time after which the program creates no more files
     */
    ReplacedFiles(World world, Chance chance, long untilNanos) {
        this.world = world;
        this.chance = chance;
        this.untilNanos = untilNanos;
    }

    /** Stores a document that a rename has removed, if the program must create the document again. */
    void removed(Rename rename, String id) {
        if (id.startsWith(Witness.OUTSIDE) && chance.happens(CREATED_AGAIN)) {
            replaced.add(new Replaced(rename.requestId(), id, rename.destination()));
        }
    }

    /** Plans to create the removed files again, if the written entry shows that the rename has replaced these files. */
    void wrote(JournalEntry entry) {
        if (entry.progress().unreplaced() != null) {
            List<Replaced> now = replaced.stream()
                    .filter(file -> file.requestId().equals(entry.requestId()))
                    .toList();
            replaced.removeAll(now);
            now.forEach(file ->
                    world.scheduler().after(chance.between(0, LATEST_NANOS), () -> begin(file.id(), file.path())));
        }
    }

    private void begin(String id, TreePath path) {
        if (world.scheduler().nowNanos() >= untilNanos) {
            return;
        }
        written++;
        Actor actor = world.actor(PREFIX + written);
        SimulatedTreeStore tree =
                new SimulatedTreeStore(world.network().quietWire(actor, Duration.ofSeconds(2)), world.cluster(), 1);
        world.scheduler().begin(actor, () -> {
            try {
                world.layout().put(tree, id, path, "file", written);
                world.stage()
                        .happened(
                                Happening.OUTSIDE_RETURN_OF_REPLACED,
                                actor.name(),
                                () -> "creates " + id + " again at " + path);
            } catch (NoAnswerException e) {
                world.stage().report(actor.name(), e::getMessage);
            }
        });
    }
}
