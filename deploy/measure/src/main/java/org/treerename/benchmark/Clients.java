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
 * A number of concurrent clients. Each client repeats its work until the time {@code length} is over, and finishes the
 * work that it has begun. The result includes the time and the renames of this last work.
 *
 * @param count the number of clients
 * @param length the time after which the clients begin no new work
 */
record Clients(int count, Duration length) {

    Clients {
        if (count < 1) {
            throw new IllegalArgumentException("expected at least one client, found " + count);
        }
    }

    /** The work that a client repeats. */
    interface Client {
        /**
         * Does the work once.
         *
         * @param over returns whether the time is over; after that time, the client must not begin a rename
         * @return the number of renames
         */
        int once(BooleanSupplier over) throws Exception;
    }

    /**
     * Runs the same work in all clients. Returns the number of all renames, and the time until the last client has
     * finished.
     */
    Throughput work(Time time, Client client) throws Exception {
        return workOfEach(time, number -> client);
    }

    /**
     * Runs different work in each client. Returns the number of all renames, and the time until the last client has
     * finished.
     */
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
