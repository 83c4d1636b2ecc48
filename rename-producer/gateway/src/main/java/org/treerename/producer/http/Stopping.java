package org.treerename.producer.http;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits for a signal that stops this process. After the signal, the process ends when this object is closed, or at the
 * end of the grace period.
 */
final class Stopping implements AutoCloseable {

    private final Duration grace;
    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    private Stopping(Duration grace) {
        this.grace = grace;
    }

    static Stopping begin(Duration grace) {
        Stopping stopping = new Stopping(grace);
        Runtime.getRuntime().addShutdownHook(new Thread(stopping::stop, "stopping"));
        return stopping;
    }

    private void stop() {
        requested.countDown();
        try {
            var unused = stopped.await(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Blocks until the process receives the signal. */
    void await() throws InterruptedException {
        requested.await();
    }

    /** Returns the reason why the gateway accepts no new requests; empty before the signal. */
    Optional<String> problem() {
        return requested.getCount() == 0 ? Optional.of("the gateway is stopping") : Optional.empty();
    }

    @Override
    public void close() {
        stopped.countDown();
    }
}
