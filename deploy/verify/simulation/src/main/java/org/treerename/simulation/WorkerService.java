package org.treerename.simulation;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.treerename.installation.Installation;
import org.treerename.journal.Delivery;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.RetryLimit;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Watchdog;
import org.treerename.worker.DeadLetters;
import org.treerename.worker.LoopReading;
import org.treerename.worker.Worker;

/** Runs workers with the components that the worker's {@code Main} creates. */
final class WorkerService extends Service {

    private static final int LOOKS = 5;
    private static final Duration LOOK_EVERY = Worker.pollEvery().multipliedBy(3);

    WorkerService(World world, String name) {
        super(world, name);
    }

    @Override
    LongConsumer beginning(SimulatedProcess process) {
        return sentNanos -> {};
    }

    @Override
    void work(SimulatedProcess process) {
        Settings settings = world().settings();
        StopSignal stop = process.context().stop();
        Watchdog watchdog = new Watchdog(process.time(), settings.stuckAfter(), stop::isHeld);
        SimulatedConsumer consumer = new SimulatedConsumer(world(), process.actor());
        Signal waiting = new Signal(world().scheduler());
        Worker worker = new Worker(
                new Worker.Tools(
                        consumer,
                        Installation.DEFAULT.requests(),
                        process.stores().forRenames(watchdog::moved),
                        process.context(),
                        new RetryLimit(settings.maxTries(), world().backoffs(process.time())),
                        watchdog,
                        new DeadLetters(
                                Installation.DEFAULT.deadLetters(),
                                world().wiring().deadLetters(world().deadLetters()::keep),
                                reason -> {})),
                new Worker.Limits(settings.afterTimeout(), world().window(), world().operators()::havePaused),
                (name, request) -> world().scheduler().begin(process.actor(), request),
                new Worker.Hooks(slots(), () -> {}, reading -> {
                    consumer.processesAny(reading.running() > 0);
                    if (isAnyWaiting(reading)) {
                        waiting.raise();
                    }
                }));
        boolean[] over = {false};
        world().scheduler().begin(process.actor(), () -> {
            while (!over[0]) {
                poll(worker, waiting);
            }
        });
        world().scheduler().begin(process.actor(), () -> {
            while (!over[0]) {
                process.time().pause(settings.stuckAfter().dividedBy(LOOKS));
                if (watchdog.isStuck() && world().wiring().hasWatchdog()) {
                    world().scheduler().after(0, () -> halt(process));
                }
            }
        });
        try {
            worker.run();
        } finally {
            over[0] = true;
            waiting.raise();
        }
    }

    /** Returns a decorator that blocks requests if the namespaces share the slots of a worker. */
    private UnaryOperator<Function<Delivery, Answer>> slots() {
        if (world().wiring().hasSlotsOfEachNamespace()) {
            return UnaryOperator.identity();
        }
        int[] free = {world().window().concurrency()};
        return renamer -> delivery -> {
            world().scheduler().await(Phases.SECOND / 100, () -> free[0] > 0);
            free[0]--;
            try {
                return renamer.apply(delivery);
            } finally {
                free[0]++;
            }
        };
    }

    private void poll(Worker worker, Signal waiting) {
        if (worker.holdsAnyBack()) {
            worker.poll();
            world().scheduler().pause(LOOK_EVERY.toNanos());
        } else {
            waiting.await();
        }
    }

    private static boolean isAnyWaiting(LoopReading reading) {
        return reading.queues().values().stream().anyMatch(queue -> queue.waiting() > 0);
    }

    private void halt(SimulatedProcess process) {
        if (process == living() && isUp()) {
            world().stage().happened(Happening.STUCK, process.actor().name(), () -> "is stuck and ends itself");
            crash();
        }
    }
}
