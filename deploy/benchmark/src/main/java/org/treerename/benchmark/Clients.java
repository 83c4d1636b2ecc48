package org.treerename.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.treerename.runtime.Time;

/**
 * So many at once, each of which begins its next piece of work when its last one has ended, for a while. What is under way
 * then is waited for, and counts with the time that it takes.
 */
record Clients(int count, Duration length) {

    Clients {
        if (count < 1) {
            throw new IllegalArgumentException("expected one client at least, found " + count);
        }
    }

    /** What each does again and again. */
    interface Client {
        /**
         * Does it once.
         *
         * @param over whether the time is up, so that what has not begun need not
         * @return how many renames that were
         */
        int once(BooleanSupplier over) throws Exception;
    }

    /** Has all of them do the same; returns what they did. */
    Throughput work(Time time, Client client) throws Exception {
        return workOfEach(time, number -> client);
    }

    /** Has each of them do something of its own; returns what they did. */
    Throughput workOfEach(Time time, IntFunction<Client> clients) throws Exception {
        long begun = time.nanos();
        BooleanSupplier over = () -> time.nanos() - begun >= length.toNanos();
        long renames = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Client client = clients.apply(i);
                all.add(threads.submit(() -> work(client, over)));
            }
            for (Future<Long> one : all) {
                renames += one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client failed", e.getCause());
        }
        return new Throughput(renames, (time.nanos() - begun) / 1e9);
    }

    private static long work(Client client, BooleanSupplier over) throws Exception {
        long renames = 0;
        do {
            renames += client.once(over);
        } while (!over.getAsBoolean());
        return renames;
    }
}
