package org.treerename.service;

import java.time.Duration;
import java.util.Optional;
import org.treerename.observe.Metric;
import org.treerename.process.Lease;
import org.treerename.runtime.Health;
import org.treerename.runtime.LastSeen;
import org.treerename.runtime.StopSignal;

/**
 * The health checks for the heartbeat of one incarnation: whether heartbeats are sent, and whether Elasticsearch
 * acknowledges them. Any thread may call this class.
 */
final class HeartbeatHealth {

    private final Host host;
    private final StopSignal stop;
    private final LastSeen beating;
    private final LastSeen acknowledged;

    /** Removes all checks of the previous incarnation. From now on, the process is alive and not ready. */
    HeartbeatHealth(Host host, StopSignal stop) {
        this.host = host;
        this.stop = stop;
        this.beating = new LastSeen(host.time());
        this.acknowledged = new LastSeen(host.time());
        host.observability().health().clear();
    }

    /** Records that a heartbeat is sent now. */
    void beating() {
        beating.beat();
    }

    /**
     * Records that a heartbeat was acknowledged.
     *
     * @param sentNanos the time at which the heartbeat was sent, on the monotonic clock
     */
    void acknowledged(long sentNanos) {
        acknowledged.at(sentNanos);
    }

    /**
     * Adds the checks of this incarnation to the health of the process. Call this method directly after the process
     * document was written.
     */
    void show() {
        Lease lease = host.settings().lease();
        beating.beat();
        acknowledged.beat();
        Health health = host.observability().health();
        // if Elasticsearch does not answer a heartbeat, the next heartbeat is sent after the timeout; so the limit is
        // two leases
        Duration limit = lease.length().multipliedBy(2);
        health.aliveIf("heartbeat", beating.within(limit, "the last heartbeat was sent"));
        health.readyIf("heartbeat", acknowledged.within(lease.length(), "the last acknowledged heartbeat was sent"));
        health.readyIf(
                "stopping",
                () -> stop.isRequested()
                        ? Optional.of("a stop was requested, or the process is fenced")
                        : Optional.empty());
        host.observability()
                .meters()
                .show(Metric.HEARTBEAT_AGE, () -> acknowledged.age().toMillis() / 1e3);
    }
}
