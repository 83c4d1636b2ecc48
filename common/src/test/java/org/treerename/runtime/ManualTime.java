package org.treerename.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A {@link Time} whose clocks advance only when a test advances them, or when a thread pauses. A pause returns at once,
 * and advances the clocks by the length of the pause. The thread that advances the clocks runs the events that are
 * planned for this period. Any thread may call this class.
 */
public final class ManualTime implements Time {

    /** The largest number of pauses in a test. With more pauses, the test fails instead of waiting forever. */
    public static final int MOST_PAUSES = 10_000;

    private record Planned(Instant at, Runnable event) {}

    private final List<Planned> plan = new ArrayList<>();
    private Instant now;
    private long nanos;
    private int pauses;

    private ManualTime(Instant start) {
        this.now = start;
    }

    public static ManualTime startingAt(String instant) {
        return new ManualTime(Instant.parse(instant));
    }

    @Override
    public synchronized Instant now() {
        return now;
    }

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    @Override
    public void pause(Duration length) {
        if (countPause() > MOST_PAUSES) {
            throw new AssertionError(MOST_PAUSES + " pauses; the awaited event never comes");
        }
        advance(length);
    }

    /** Pauses until the next planned event, polls {@code wake}, and repeats these two steps. */
    @Override
    public boolean await(Wake wake, Duration most) {
        Instant end = now().plus(most);
        while (!wake.poll()) {
            if (!now().isBefore(end) || Thread.currentThread().isInterrupted()) {
                return false;
            }
            pause(untilNextEvent(end));
        }
        return true;
    }

    private synchronized Duration untilNextEvent(Instant end) {
        Instant next = plan.stream()
                .map(Planned::at)
                .filter(at -> at.isBefore(end))
                .min(Comparator.naturalOrder())
                .orElse(end);
        return next.isAfter(now) ? Duration.between(now, next) : Duration.ZERO;
    }

    private synchronized int countPause() {
        return ++pauses;
    }

    /** Schedules an event, which runs when the clock has advanced by {@code after}. */
    public synchronized void plan(Duration after, Runnable event) {
        plan.add(new Planned(now.plus(after), event));
    }

    /** Simulates a suspended machine: the wall clock advances, but the monotonic clock does not advance. */
    public synchronized void suspend(Duration length) {
        now = now.plus(length);
    }

    public void advance(Duration length) {
        Instant end = now().plus(length);
        for (Optional<Planned> next = next(end); next.isPresent(); next = next(end)) {
            next.get().event().run();
        }
        forward(end);
    }

    private synchronized Optional<Planned> next(Instant end) {
        Optional<Planned> next =
                plan.stream().filter(planned -> !planned.at().isAfter(end)).min(Comparator.comparing(Planned::at));
        next.ifPresent(planned -> {
            plan.remove(planned);
            forward(planned.at());
        });
        return next;
    }

    private synchronized void forward(Instant to) {
        if (to.isAfter(now)) {
            nanos += Duration.between(now, to).toNanos();
            now = to;
        }
    }
}
