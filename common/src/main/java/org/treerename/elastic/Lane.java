package org.treerename.elastic;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;

/**
 * The connections that a part of the requests of a client may use at the same time. Requests in different lanes do not
 * wait for each other. So a tree that does not answer cannot use all connections of the process.
 *
 * @param mostConnections the number of permits of {@code free} while no request is under way
 * @param waitMillis how long a request waits for a connection
 * @param isReported whether the circuit breaker counts the requests of this lane that get no answer
 */
record Lane(int mostConnections, Semaphore free, long waitMillis, boolean isReported) {

    static Lane of(Elastic.Settings settings) {
        return new Lane(
                settings.connections(),
                new Semaphore(settings.connections(), true),
                settings.timeout().toMillis(),
                true);
    }

    /**
     * Returns a new lane with as many connections. If the requests of the new lane get no answer, other requests may
     * still be answered. So the circuit breaker does not count them.
     */
    Lane apart() {
        return new Lane(mostConnections, new Semaphore(mostConnections, true), waitMillis, false);
    }

    /** Waits for a connection. The caller must call {@link #release} after the request. */
    void acquire() throws ConnectionRequestTimeoutException {
        try {
            if (free.tryAcquire(waitMillis, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new ConnectionRequestTimeoutException("expected a free connection within " + waitMillis + " ms, but "
                + mostConnections + " requests to the same tree or to the control index were under way");
    }

    void release() {
        free.release();
    }
}
