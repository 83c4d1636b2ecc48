package org.treerename.service;

import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.http.ManagementServer;
import org.treerename.installation.Installation;
import org.treerename.observe.Meters;
import org.treerename.observe.Spans;
import org.treerename.runtime.Health;

/**
 * Creates the metrics, health checks and traces of a process, and opens the HTTP server that shows metrics and health.
 * All incarnations of the process share these parts.
 */
public final class Observability implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Observability.class);

    private final Meters meters;
    private final Health health = new Health();
    private final Spans spans = Spans.ofProcess();
    private final ManagementServer server;

    private Observability(InetSocketAddress address, Installation installation) {
        meters = new Meters(installation);
        server = ManagementServer.open(address, meters::shown, health);
    }

    static Observability open(InetSocketAddress address, Installation installation) {
        Observability observability = new Observability(address, installation);
        log.info("metrics and health are on {}", observability.server.url());
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
            server.close();
        }
    }
}
