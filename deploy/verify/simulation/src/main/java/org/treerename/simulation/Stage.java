package org.treerename.simulation;

import java.util.function.Supplier;
import org.treerename.simulation.elasticsearch.Sender;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Chance;
import org.treerename.simulation.schedule.Scheduler;

/** The shared state of a run: random values, time, history, counts and violations. */
final class Stage {

    private final Chance chance;
    private final Scheduler scheduler;
    private final History history;
    private final Tally tally = new Tally();
    private final Violations violations = new Violations();

    Stage(long seed, History history) {
        this.chance = new Chance(seed);
        this.history = history;
        this.scheduler = new Scheduler(
                chance, failure -> violations.add(Point.LIVENESS, "a thread ended with " + failure + at(failure)));
    }

    private static String at(Throwable failure) {
        StringBuilder places = new StringBuilder();
        for (int i = 0; i < Math.min(12, failure.getStackTrace().length); i++) {
            places.append(System.lineSeparator()).append("    at ").append(failure.getStackTrace()[i]);
        }
        return places.toString();
    }

    Chance chance() {
        return chance;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    Tally tally() {
        return tally;
    }

    Violations violations() {
        return violations;
    }

    History history() {
        return history;
    }

    void report(String who, Supplier<String> words) {
        history.report(scheduler.nowNanos(), who, words);
    }

    void violated(Point point, Sender sender, String words) {
        report(sender.name(), () -> "VIOLATES point " + point.number() + ": " + words);
        violations.add(point, sender.name() + ": " + words);
    }

    void happened(Happening happening, String who, Supplier<String> words) {
        tally.count(happening);
        report(who, words);
    }

    /**
     * Counts a request that arrives after its sender has stopped waiting. The requests of dead senders are counted
     * separately.
     */
    void arrivesLate(Actor sender) {
        tally.count(sender.isAlive() ? Happening.LATE_WRITE : Happening.LATE_WRITE_OF_THE_DEAD);
    }
}
