package org.treerename.process;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a worker is paused, as the last answered heartbeat has told it: each asks for it on its way, so that nobody sends a
 * request for it alone. One thread tells, any thread may ask.
 */
public final class PauseSign {

    private static final Logger log = LoggerFactory.getLogger(PauseSign.class);

    private volatile Optional<Pause> standing = Optional.empty();

    /** What stands now. */
    public void told(Optional<Pause> now) {
        Optional<Pause> before = standing;
        standing = now;
        if (now.isPresent() && !now.equals(before)) {
            log.warn("{}: nothing new begins", now.get());
        } else if (now.isEmpty() && before.isPresent()) {
            log.info("paused no more");
        }
    }

    public boolean isOn() {
        return standing.isPresent();
    }

    /** In words; empty where nothing is paused. */
    public Optional<String> inWords() {
        return standing.map(pause -> pause + ": nothing new begins");
    }
}
