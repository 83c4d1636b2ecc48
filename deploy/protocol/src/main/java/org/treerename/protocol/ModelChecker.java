package org.treerename.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;
import tlc2.TLC;

/** Runs TLC on one configuration, in a JVM of its own. Any number of threads may call it. */
public final class ModelChecker {

    /** Each with those that it extends. */
    private static final List<String> MODULES =
            List.of("LockDocument", "Paths", "Attempts", "SharedLocks", "Janitors", "LateWrites", "Claims", "Replay");

    private static final int HOLDS = 0;
    private static final int BREAKS = 12;
    private static final int BREAKS_IN_TIME = 13;

    private static final Pattern INVARIANT = Pattern.compile("(?m)^Error: Invariant (\\w+) is violated");
    private static final Pattern PROPERTY = Pattern.compile("(?m)^PROPERTY (\\w+)$");
    private static final Pattern STATES =
            Pattern.compile("(?m)^\\d+ states generated, (\\d+) distinct states found, 0 states left");
    private static final Pattern DEPTH = Pattern.compile("depth of the complete state graph search is (\\d+)");
    private static final Pattern STEP = Pattern.compile("(?m)^State \\d+: <(\\w+) line");

    private final Path folder;
    private final int workers;
    private final Duration patience;

    /**
     * @param folder what a run writes is kept below it, in a folder for each configuration
     * @param workers threads of one run
     * @param patience how long one run may take
     */
    public ModelChecker(Path folder, int workers, Duration patience) {
        this.folder = folder;
        this.workers = workers;
        this.patience = patience;
    }

    /**
     * Looks at every state.
     *
     * @throws IllegalStateException if TLC does not come to an end, or does not understand what it reads
     */
    public Verdict check(Configuration configuration) {
        return check(configuration, Map.of());
    }

    /**
     * @param generated modules on top of those of this room, by their names
     */
    Verdict check(Configuration configuration, Map<String, String> generated) {
        Path place = folder.resolve(configuration.name()).toAbsolutePath();
        Path log = place.resolve("tlc.log");
        try {
            for (String module : MODULES) {
                write(place.resolve(module + ".tla"), Configuration.resource(module + ".tla"));
            }
            for (Map.Entry<String, String> module : generated.entrySet()) {
                write(place.resolve(module.getKey() + ".tla"), module.getValue());
            }
            write(place.resolve("model.cfg"), configuration.text());
            Files.deleteIfExists(log);
            int code = run(place, configuration.model(), log);
            String said = Files.readString(log);
            return switch (code) {
                case HOLDS ->
                    new Verdict.Holds(Long.parseLong(word(STATES, said)), Integer.parseInt(word(DEPTH, said)));
                case BREAKS -> new Verdict.Breaks(word(INVARIANT, said), steps(said));
                case BREAKS_IN_TIME -> new Verdict.Breaks(word(PROPERTY, configuration.text()), steps(said));
                default ->
                    throw new IllegalStateException(
                            "TLC ended with " + code + " on " + configuration.name() + "; what it said is in " + log);
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** TLC unpacks its standard modules into the folder for temporary files: each run has its own. */
    private int run(Path place, String model, Path log) throws IOException {
        JavaCommand command = JavaCommand.of(TLC.class.getName(), classPath(), log)
                .jvmOptions("-Xmx1g", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + place)
                .directory(place)
                .arguments(
                        "-workers",
                        String.valueOf(workers),
                        "-metadir",
                        place.resolve("states").toString(),
                        "-config",
                        "model.cfg",
                        model + ".tla");
        try (ChildProcess tlc = command.start()) {
            return tlc.waitFor(patience);
        }
    }

    private static String classPath() {
        try {
            return Path.of(TLC.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("TLC is not on the class path as a file", e);
        }
    }

    private static String word(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("expected " + pattern + " in what TLC was given or said");
        }
        return matcher.group(1);
    }

    private static List<String> steps(String said) {
        List<String> steps = new ArrayList<>();
        Matcher step = STEP.matcher(said);
        while (step.find()) {
            steps.add(step.group(1));
        }
        return steps;
    }
}
