package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.treerename.janitor.recovery.Fence;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.simulation.elasticsearch.SimulatedProcessStore;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Chance;
import org.treerename.store.NoAnswerException;

/** Operators who fence healthy processes, and who pause the workers for a random time. */
final class Operators {

    private static final long LONGEST_PAUSE_NANOS = 2_000_000_000L;

    private final World world;
    private final List<Actor> actors = new ArrayList<>();
    private boolean paused;

    Operators(World world) {
        this.world = world;
    }

    /** Returns whether an operator has paused the workers. Paused workers must not begin requests. */
    boolean havePaused() {
        return paused;
    }

    void pauseForAWhile() {
        world.stage().happened(Happening.PAUSED, "operator", () -> "pauses the workers");
        paused = true;
        world.scheduler().after(world.stage().chance().between(0, LONGEST_PAUSE_NANOS), this::unpause);
    }

    void unpause() {
        world.stage().report("operator", () -> "ends the pause");
        paused = false;
    }

    /** Fences a random process whose document has the state LIVE. */
    void fenceALiveProcess() {
        Chance chance = world.stage().chance();
        List<ProcessId> live = world.cluster().control(ProcessDocument.class).stream()
                .filter(process -> process.state() == ProcessState.LIVE)
                .map(ProcessDocument::id)
                .toList();
        if (live.isEmpty()) {
            return;
        }
        ProcessId id = chance.of(live);
        Actor actor = world.actor("operator-" + actors.size());
        actors.add(actor);
        Duration timeout = world.settings().requestTimeout();
        Fence fence = new Fence(new SimulatedProcessStore(world.network().wire(actor, timeout), world.cluster()));
        world.scheduler().begin(actor, () -> {
            try {
                Fence.Result result = fence.fence(id);
                world.stage().happened(Happening.FENCED_BY_HAND, actor.name(), () -> "fences " + id + ": " + result);
            } catch (NoAnswerException e) {
                world.stage().report(actor.name(), e::getMessage);
            }
        });
    }

    /** Kills the programs that have not ended at the end of the run. */
    void bury() {
        actors.forEach(world.scheduler()::kill);
    }
}
