package org.treerename.simulation;

import org.treerename.journal.JournalEntry;
import org.treerename.simulation.elasticsearch.Request;
import org.treerename.simulation.elasticsearch.Wire;

/**
 * Sends requests through another wire. A request for a rename may block or fail because of a simulated bug in the
 * client.
 */
final class BuggyWire implements Wire {

    private final Wire wire;
    private final Bugs bugs;
    private final Runnable moved;

    /**
     * @param moved the action that runs before and after each request
     */
    BuggyWire(Wire wire, Bugs bugs, Runnable moved) {
        this.wire = wire;
        this.bugs = bugs;
        this.moved = moved;
    }

    @Override
    public <T> T ask(Request<T> request) {
        moved.run();
        bugs.call();
        T answer = wire.ask(request);
        moved.run();
        return answer;
    }

    @Override
    public <T> Pending<T> begin(Request<T> request) {
        moved.run();
        bugs.call();
        Pending<T> pending = wire.begin(request);
        return new Pending<>() {
            @Override
            public boolean hasEnded() {
                return pending.hasEnded();
            }

            @Override
            public T answer() {
                T answer = pending.answer();
                moved.run();
                return answer;
            }
        };
    }

    @Override
    public void processes(JournalEntry entry) {
        wire.processes(entry);
    }
}
