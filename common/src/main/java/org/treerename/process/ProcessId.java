package org.treerename.process;

import java.util.UUID;
import java.util.regex.Pattern;

/** Names one incarnation of a service; never used twice. */
public record ProcessId(String text) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9.-]{1,63}");

    public ProcessId {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a process id is not blank");
        }
    }

    /**
     * A new one: a name and a random UUID.
     *
     * @param name the service's, or one that was {@linkplain #requireName given} to its process
     */
    public static ProcessId create(String name) {
        return new ProcessId(name + "-" + UUID.randomUUID());
    }

    /**
     * Refuses what people may not call a process: it goes into logs and paths of URLs as it is.
     *
     * @throws IllegalArgumentException with one sentence for people
     */
    public static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a process name is 1 to 63 letters, digits, dots and hyphens, found \"" + name + "\"");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
