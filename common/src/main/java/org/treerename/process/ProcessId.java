package org.treerename.process;

import java.util.UUID;
import java.util.regex.Pattern;

/** The id of one process, that is, of one run of a service. No other run has the same id. */
public record ProcessId(String text) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9.-]{1,63}");

    public ProcessId {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a process id must not be blank");
        }
    }

    /**
     * Returns a new id: a name and a random UUID.
     *
     * @param name the name of the service, or a name that an operator chose and {@link #requireName} allows
     */
    public static ProcessId create(String name) {
        return new ProcessId(name + "-" + UUID.randomUUID());
    }

    /**
     * Throws if a name is not allowed as the name of a process. Logs and URL paths contain the name without escapes.
     *
     * @throws IllegalArgumentException if the name is not allowed; the message is one sentence for people
     */
    public static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a process name must have 1 to 63 characters of A-Z, a-z, 0-9, . and -, found \"" + name + "\"");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
