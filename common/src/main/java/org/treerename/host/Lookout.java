package org.treerename.host;

import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.metrics.Meters;
import org.treerename.runtime.Health;
import org.treerename.runtime.HttpDoor;
import org.treerename.trace.Spans;

/** How a process is seen from outside, through all its incarnations. */
public final class Lookout implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Lookout.class);

    private final Meters meters = new Meters();
    private final Health health = new Health();
    private final Spans spans = Spans.ofProcess();
    private final HttpDoor door;

    private Lookout(InetSocketAddress address) {
        door = HttpDoor.open(address, meters::shown, health);
    }

    static Lookout open(InetSocketAddress address) {
        Lookout lookout = new Lookout(address);
        log.info("metrics and health are on {}", lookout.door.url());
        return lookout;
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
