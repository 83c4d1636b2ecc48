package org.treerename.endtoend;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.treerename.stack.ChildProcess;

/** Starts and stops real janitor processes with a lease of 2 s. Each process has its own JVM. */
final class Janitors implements AutoCloseable {

    private static final List<String> OPTIONS = List.of("--lease=2s", "--sweep-every=1s", "--page-size=100");

    private final Services services;

    private Janitors(Services services) {
        this.services = services;
    }

    /** Starts janitors and blocks until each is live. */
    static Janitors start(int count, String... options) {
        return start(Program.JANITOR, count, options);
    }

    /**
     * Starts instrumented janitors, which log every step, and blocks until each janitor is live. One option can set a
     * crash point.
     */
    static Janitors instrumented(int count, String... options) {
        return start(Program.INSTRUMENTED_JANITOR, count, options);
    }

    private static Janitors start(String mainClass, int count, String... options) {
        List<String> all = Stream.concat(
                        OPTIONS.stream().filter(option -> !isGiven(option, options)), Arrays.stream(options))
                .toList();
        return new Janitors(Services.start("janitor", mainClass, count, all));
    }

    private static boolean isGiven(String option, String... options) {
        String name = option.substring(0, option.indexOf('=') + 1);
        return Arrays.stream(options).anyMatch(given -> given.startsWith(name));
    }

    List<ChildProcess> processes() {
        return services.processes();
    }

    Set<String> ids() {
        return services.ids();
    }

    /** Stops all janitors gracefully, and waits for their end. */
    @Override
    public void close() {
        services.close();
    }
}
