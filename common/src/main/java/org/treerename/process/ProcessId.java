package org.treerename.process;

import java.util.UUID;

/** Names one incarnation of a service; never used twice. */
public record ProcessId(String text) {

    public ProcessId {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a process id is not blank");
        }
    }

    /** A new one: the service's name and a random UUID. */
    public static ProcessId create(String service) {
        return new ProcessId(service + "-" + UUID.randomUUID());
    }

    @Override
    public String toString() {
        return text;
    }
}
