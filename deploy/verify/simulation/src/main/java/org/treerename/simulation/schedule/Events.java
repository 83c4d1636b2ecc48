package org.treerename.simulation.schedule;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The planned events of a scheduler, and the current time. The current time is the time of the last event that was
 * taken. Events of the same time have a random order.
 */
final class Events {

    private record Event(long atNanos, long order, Runnable what, boolean mayKill) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return atNanos == other.atNanos ? Long.compare(order, other.order) : Long.compare(atNanos, other.atNanos);
        }
    }

    private final Chance chance;
    private final PriorityQueue<Event> planned = new PriorityQueue<>();
    private long nowNanos;
    private long count;

    Events(Chance chance) {
        this.chance = chance;
    }

    /** Returns the current time. */
    long nowNanos() {
        return nowNanos;
    }

    /** Returns the number of events that were taken. */
    long count() {
        return count;
    }

    /** Schedules an event that happens this many nanoseconds after the current time. */
    void add(long nanos, Runnable what, boolean mayKill) {
        planned.add(new Event(nowNanos + Math.max(0, nanos), chance.between(0, Long.MAX_VALUE - 1), what, mayKill));
    }

    /**
     * Advances the time to the next event, removes the event and returns it.
     *
     * @param withKills whether this method may return an event that may kill an actor
     * @return null if there is no event, or if the next event may kill an actor and {@code withKills} is false
     */
    @Nullable
    Runnable take(boolean withKills) {
        Event next = planned.peek();
        if (next == null || (next.mayKill() && !withKills)) {
            return null;
        }
        planned.remove();
        nowNanos = next.atNanos();
        count++;
        return next.what();
    }
}
