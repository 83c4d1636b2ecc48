package org.treerename.local;

import java.time.Duration;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.process.ProcessState;
import org.treerename.runtime.Time;

/**
 * Prints the steps of a janitor that finishes the rename of a killed worker. Each line contains the time since the
 * kill.
 */
final class DemoTakeOver {

    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration ENDED = Duration.ofMinutes(3);

    private final DemoControl control;
    private final Narrator narrator;
    private final Time time;
    private final long killedNanos;

    DemoTakeOver(DemoControl control, Narrator narrator, Time time, long killedNanos) {
        this.control = control;
        this.narrator = narrator;
        this.time = time;
        this.killedNanos = killedNanos;
    }

    /** Prints the steps. Returns when the journal entry of the rename is closed. */
    void watch(String requestId, String dead) {
        await("fenced", () -> control.stateOf(dead) != ProcessState.LIVE);
        report(
                "%-10s the dead process; its requests to Elasticsearch can no longer change anything",
                control.stateOf(dead).stored());
        await("taken over", () -> !isOf(entry(requestId), dead));
        JournalEntry taken = entry(requestId);
        report(
                "taken over by %s, epoch %d; moved documents according to the journal entry: %,d",
                taken.ownership().processId(),
                taken.ownership().epoch(),
                taken.progress().moved());
        long before = taken.progress().moved();
        await(
                "moved on",
                () -> entry(requestId).state() != State.MOVING
                        || entry(requestId).progress().moved() > before);
        report(
                "moving     moved documents according to the journal entry: %,d",
                entry(requestId).progress().moved());
        await("done", () -> entry(requestId).state() != State.MOVING);
        report(
                "moved      the state of the journal entry is %s",
                entry(requestId).state());
        await("closed", () -> entry(requestId).state() == State.CLOSED);
        report("closed     the locks are released, and the outcome is published");
    }

    private JournalEntry entry(String requestId) {
        return control.entry(requestId)
                .orElseThrow(() ->
                        new IllegalStateException("expected a journal entry of request " + requestId + ", found none"));
    }

    private static boolean isOf(JournalEntry entry, String processId) {
        return entry.ownership().processId().equals(processId);
    }

    private void await(String step, BooleanSupplier condition) {
        if (!new Patience(time, POLL).until(ENDED, condition)) {
            throw new IllegalStateException("the rename of the killed worker: expected the step \"" + step
                    + "\" within " + Narrator.seconds(ENDED) + ", but it did not occur; read the log of the janitor");
        }
    }

    /** Prints a line. The format follows {@link String#format}. */
    private void report(String format, Object... values) {
        String since = Narrator.seconds(Duration.ofNanos(time.nanos() - killedNanos));
        narrator.report("+%7s   %s", since, String.format(Locale.ROOT, format, values));
    }
}
