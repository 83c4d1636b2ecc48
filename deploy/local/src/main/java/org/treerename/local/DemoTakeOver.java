package org.treerename.local;

import java.time.Duration;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.treerename.process.ProcessState;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.State;
import org.treerename.runtime.Time;

/** Tells how a rename whose worker was killed comes to its end: each step when it is seen, with the time since the kill. */
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

    /** Comes back when the rename has ended. */
    void watch(String requestId, String dead) {
        await("fenced", () -> control.stateOf(dead) != ProcessState.LIVE);
        tell(
                "%-10s the dead process: whatever it had sent, it changes nothing any more",
                control.stateOf(dead).stored());
        await("taken over", () -> !isOf(entry(requestId), dead));
        JournalEntry taken = entry(requestId);
        tell(
                "taken over by %s, epoch %d; the entry counts %,d documents moved",
                taken.ownership().processId(),
                taken.ownership().epoch(),
                taken.progress().moved());
        long before = taken.progress().moved();
        await(
                "moved on",
                () -> entry(requestId).state() != State.MOVING
                        || entry(requestId).progress().moved() > before);
        tell("moving on  the entry counts %,d", entry(requestId).progress().moved());
        await("done", () -> entry(requestId).state() != State.MOVING);
        tell("moved      the entry is %s", entry(requestId).state());
        await("closed", () -> entry(requestId).state() == State.CLOSED);
        tell("closed     the locks are given back, the outcome is published");
    }

    private JournalEntry entry(String requestId) {
        return control.entry(requestId)
                .orElseThrow(() -> new IllegalStateException("request " + requestId + " has no journal entry"));
    }

    private static boolean isOf(JournalEntry entry, String processId) {
        return entry.ownership().processId().equals(processId);
    }

    private void await(String what, BooleanSupplier condition) {
        if (!new Patience(time, POLL).until(ENDED, condition)) {
            throw new IllegalStateException("the rename of the killed worker was not " + what + " within " + ENDED);
        }
    }

    /** {@code words} is a format as {@link String#format} takes it. */
    private void tell(String words, Object... values) {
        String since = Narrator.seconds(Duration.ofNanos(time.nanos() - killedNanos));
        narrator.tell("+%7s   %s", since, String.format(Locale.ROOT, words, values));
    }
}
