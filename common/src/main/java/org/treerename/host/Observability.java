package org.treerename.host;

import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.metrics.Meters;
import org.treerename.runtime.Health;
import org.treerename.runtime.ManagementServer;
import org.treerename.trace.Spans;

/** How a process is seen from outside, through all its incarnations. */
public final class Observability implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Observability.class);

    private final Meters meters = new Meters();
    private final Health health = new Health();
    private final Spans spans = Spans.ofProcess();
    private final ManagementServer door;

    private Observability(InetSocketAddress address) {
        door = ManagementServer.open(address, meters::shown, health);
    }

    static Observability open(InetSocketAddress address) {
        Observability observability = new Observability(address);
        log.info("metrics and health are on {}", observability.door.url());
        return observability;
    }

    public Meters meters() {
        return meters;
    }

    public Health health() {
        return health;
    }

    public Spans spans() {
        return spans;
    }

    @Override
    public void close() {
        try (meters) {
            door.close();
        }
    }
}
