package org.treerename.producer.http;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Whether this process was asked to stop, by a signal; it ends when this is closed, or after a while. */
final class Stopping implements AutoCloseable {

    private final Duration grace;
    private final CountDownLatch asked = new CountDownLatch(1);
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
        asked.countDown();
        try {
            var unused = stopped.await(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until it is asked. */
    void await() throws InterruptedException {
        asked.await();
    }

    /** Why nothing new is to be asked of this process. */
    Optional<String> problem() {
        return asked.getCount() == 0 ? Optional.of("the gateway was asked to stop") : Optional.empty();
    }

    @Override
    public void close() {
        stopped.countDown();
    }
}
