package org.treerename.simulation;

import java.util.HashSet;
import java.util.Set;
import org.treerename.rename.JournalEntry;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Task;

/** Bugs of the client of a server: a call that never returns, and unexpected exceptions. */
final class Bugs {

    private final Stage stage;
    private final Set<Actor> hanging = new HashSet<>();
    private int failures;
    private boolean met;

    Bugs(Stage stage) {
        this.stage = stage;
    }

    /** The next call of this process for a rename does not return. */
    void hang(Actor actor) {
        hanging.add(actor);
    }

    /** That many of the next calls for renames fail. */
    void fail(int calls) {
        failures = calls;
    }

    void end() {
        hanging.clear();
        failures = 0;
    }

    /** Whether a process has met one, so that it may have left a point in time open. */
    boolean wasMet() {
        return met;
    }

    /** Runs before each call of a process that carries renames. */
    void call() {
        Task task = stage.scheduler().alive();
        if (!(task.attachment() instanceof JournalEntry entry)) {
            return;
        }
        String who = task.actor().name();
        if (hanging.remove(task.actor())) {
            met = true;
            stage.happened(Happening.HUNG_CALL, who, () -> "waits for ever, for " + entry.requestId());
            stage.scheduler().suspend(wake -> {});
        }
        if (failures > 0) {
            failures--;
            met = true;
            stage.happened(Happening.UNEXPECTED_FAILURE, who, () -> "meets a bug, for " + entry.requestId());
            throw new IllegalStateException("a bug");
        }
    }
}
