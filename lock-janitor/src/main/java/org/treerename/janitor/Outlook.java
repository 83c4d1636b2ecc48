package org.treerename.janitor;

import org.treerename.host.Host;
import org.treerename.runtime.Health;

/** What one incarnation of a janitor tells of its ticks. The janitor's thread looks, any thread may ask. */
final class Outlook {

    private final Health health;

    private Outlook(Health health) {
        this.health = health;
    }

    /** The process is ready from the end of its first tick on. */
    static Outlook of(Host host) {
        return new Outlook(host.lookout().health());
    }

    void look() {
        health.begun();
    }
}
