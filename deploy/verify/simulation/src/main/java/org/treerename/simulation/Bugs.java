package org.treerename.simulation;

import java.util.HashSet;
import java.util.Set;
import org.treerename.journal.JournalEntry;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Task;

/** Simulates bugs in the Elasticsearch client: calls that never return, and unexpected exceptions. */
final class Bugs {

    private final Stage stage;
    private final Set<Actor> hanging = new HashSet<>();
    private int failures;
    private boolean met;

    Bugs(Stage stage) {
        this.stage = stage;
    }

    /** Makes this process block for ever in its next call to Elasticsearch for a rename. */
    void hang(Actor actor) {
        hanging.add(actor);
    }

    /** Makes the given number of calls to Elasticsearch for renames fail. */
    void fail(int calls) {
        failures = calls;
    }

    void end() {
        hanging.clear();
        failures = 0;
    }

    /** Returns whether a simulated bug has occurred. After a bug, the process may have left a point in time open. */
    boolean wasMet() {
        return met;
    }

    /**
     * Blocks or throws an exception if a bug is planned. Workers and janitors run this method before each call to
     * Elasticsearch.
     */
    void call() {
        Task task = stage.scheduler().alive();
        if (!(task.attachment() instanceof JournalEntry entry)) {
            return;
        }
        String who = task.actor().name();
        if (hanging.remove(task.actor())) {
            met = true;
            stage.happened(
                    Happening.HUNG_CALL,
                    who,
                    () -> "blocks forever in a call to Elasticsearch for request " + entry.requestId());
            stage.scheduler().suspend(wake -> {});
        }
        if (failures > 0) {
            failures--;
            met = true;
            stage.happened(
                    Happening.UNEXPECTED_FAILURE,
                    who,
                    () -> "gets an unexpected exception in a call to Elasticsearch for request " + entry.requestId());
            throw new IllegalStateException("a simulated bug in the client of Elasticsearch");
        }
    }
}
