package org.treerename.host;

import java.time.Duration;
import java.util.Optional;
import org.treerename.metrics.Metric;
import org.treerename.process.Lease;
import org.treerename.runtime.Health;
import org.treerename.runtime.LastSeen;
import org.treerename.runtime.StopSignal;

/** Whether the heartbeat of one incarnation goes on, and is seen. Any thread may call it. */
final class HeartbeatHealth {

    private final Host host;
    private final StopSignal stop;
    private final LastSeen beating;
    private final LastSeen acknowledged;

    /** The process is alive from now on, and not ready. */
    HeartbeatHealth(Host host, StopSignal stop) {
        this.host = host;
        this.stop = stop;
        this.beating = new LastSeen(host.time());
        this.acknowledged = new LastSeen(host.time());
        host.observability().health().clear();
    }

    /** A heartbeat is sent. */
    void beating() {
        beating.beat();
    }

    /**
     * One was acknowledged.
     *
     * @param sentNanos when it was sent, on the monotonic clock
     */
    void acknowledged(long sentNanos) {
        acknowledged.at(sentNanos);
    }

    /** From now on they are those of the process: its document has just been written. */
    void show() {
        Lease lease = host.settings().lease();
        beating.beat();
        acknowledged.beat();
        Health health = host.observability().health();
        // without an answer one is sent after the time-out of the other, so this is twice as long as it may take
        Duration limit = lease.length().multipliedBy(2);
        health.aliveIf("heartbeat", beating.within(limit, "the last heartbeat was sent"));
        health.readyIf("heartbeat", acknowledged.within(lease.length(), "the last acknowledged heartbeat was sent"));
        health.readyIf(
                "stopping",
                () -> stop.isRequested() ? Optional.of("the process was asked to stop, or fenced") : Optional.empty());
        host.observability()
                .meters()
                .show(Metric.HEARTBEAT_AGE, () -> acknowledged.age().toMillis() / 1e3);
    }
}
