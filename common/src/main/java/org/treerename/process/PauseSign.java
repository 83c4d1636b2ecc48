package org.treerename.process;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pause as this process knows it from the answer to its last heartbeat. The request of each heartbeat also reads
 * the pause, so no separate request is necessary. One thread sets the pause; any thread may read the pause.
 */
public final class PauseSign {

    private static final Logger log = LoggerFactory.getLogger(PauseSign.class);

    private volatile Optional<Pause> current = Optional.empty();

    /** Sets the current pause, and logs a change. The argument is empty if there is no pause. */
    public void reported(Optional<Pause> now) {
        Optional<Pause> before = current;
        current = now;
        if (now.isPresent() && !now.equals(before)) {
            log.warn("{}: no new request is started", now.get());
        } else if (now.isEmpty() && before.isPresent()) {
            log.info("the pause has ended: new requests are started again");
        }
    }

    public boolean isOn() {
        return current.isPresent();
    }

    /** Returns the pause as a text for people; empty if there is no pause. */
    public Optional<String> inWords() {
        return current.map(pause -> pause + ": no new request is started");
    }
}
