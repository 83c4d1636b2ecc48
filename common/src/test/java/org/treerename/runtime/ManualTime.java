package org.treerename.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A clock that moves when it is told to. A pause returns at once, with the clock advanced by its length and everything done
 * that was planned until then. Any thread may call it; what is planned runs in the thread that advances the clock.
 */
public final class ManualTime implements Time {

    /** After so many a test waits for something that never comes. */
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
        if (onePauseMore() > MOST_PAUSES) {
            throw new AssertionError(MOST_PAUSES + " pauses: what is waited for never comes");
        }
        advance(length);
    }

    /** Pauses from one planned event to the next: only an event wakes a thread in this time, or another thread does. */
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

    private synchronized int onePauseMore() {
        return ++pauses;
    }

    /** Does something as soon as that much time has passed. */
    public synchronized void plan(Duration after, Runnable event) {
        plan.add(new Planned(now.plus(after), event));
    }

    /** Suspends the machine: the wall clock goes on, the monotonic clock stands still. */
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
