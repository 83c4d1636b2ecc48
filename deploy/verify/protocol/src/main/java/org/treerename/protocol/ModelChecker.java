package org.treerename.protocol;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;
import tlc2.TLC;

/** Runs TLC in separate JVMs: one JVM for each configuration, or one JVM for many recordings. */
public final class ModelChecker {

    private static final List<String> MODELS =
            List.of("LockTable", "Paths", "Attempts", "SharedLocks", "Janitors", "LateWrites", "Claims", "Readers");

    private static final String CONFIGURATION = "model.cfg";
    static final String LOG = "tlc.log";

    private static final int HOLDS = 0;
    private static final int BREAKS = 12;
    private static final int INTERNAL_FAILURE = 1;
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
     * @param folder the folder for the files of the runs, with one subfolder for each configuration
     * @param workers the number of threads of one run
     * @param patience the time limit of one run
     */
    public ModelChecker(Path folder, int workers, Duration patience) {
        this.folder = folder;
        this.workers = workers;
        this.patience = patience;
    }

    /** Returns the text of every module of the models, by the name of the module. */
    static Map<String, String> models() {
        Map<String, String> models = new LinkedHashMap<>();
        MODELS.forEach(name -> models.put(name, Configuration.resource(name + ".tla")));
        return models;
    }

    /** Returns the path of the archive that contains TLC. */
    static Path archive() {
        return locationOf(TLC.class);
    }

    /**
     * Checks every reachable state of a configuration.
     *
     * @throws IllegalStateException if TLC does not finish, or cannot parse its input
     */
    public Verdict check(Configuration configuration) {
        Path place = place(configuration);
        Path log = place.resolve(LOG);
        try {
            prepare(place, configuration, Map.of());
            int code = runTlc(configuration, place, log);
            if (code == INTERNAL_FAILURE && Files.readString(log).contains("TLC threw an unexpected exception")) {
                // TLC 1.1.0 sometimes fails while it prints a counter-example of a temporal property
                code = runTlc(configuration, place, log);
            }
            return verdict(configuration, code, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int runTlc(Configuration configuration, Path place, Path log) throws IOException {
        return run(JavaCommand.of(TLC.class.getName(), archive().toString(), log)
                // TLC unpacks its standard modules into the folder for temporary files, so each run needs a separate
                // folder
                .jvmOptions("-Xmx1g", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + place)
                .directory(place)
                .arguments(arguments(place, configuration.model(), workers)));
    }

    /**
     * Checks every reachable state of each configuration, one configuration after the other, in one JVM. For
     * recordings, one JVM is faster, because the start of a JVM takes longer than the check of a recording.
     *
     * @param generated the generated modules of each configuration, by the name of the module
     */
    Map<Configuration, Verdict> checkInOneJvm(Map<Configuration, Map<String, String>> generated) {
        List<String> arguments = new ArrayList<>();
        try {
            for (Map.Entry<Configuration, Map<String, String>> one : generated.entrySet()) {
                Path place = place(one.getKey());
                prepare(place, one.getKey(), one.getValue());
                arguments.add(place.toString());
                arguments.add(one.getKey().model());
            }
            Path log = Files.createTempFile(Files.createDirectories(folder.toAbsolutePath()), "series", ".log");
            int code = run(JavaCommand.of(
                            TlcSeries.class.getName(),
                            locationOf(TlcSeries.class) + File.pathSeparator + archive(),
                            log)
                    // the runs are too short for the optimizing compiler
                    .jvmOptions("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                    .arguments(arguments.toArray(String[]::new)));
            if (code != 0) {
                throw new IllegalStateException("expected exit code 0 of a series of TLC runs, was " + code
                        + "; read the output of the series in " + log + ", and the file " + LOG
                        + " in the folder of each run");
            }
            Map<Configuration, Verdict> verdicts = new LinkedHashMap<>();
            for (Configuration configuration : generated.keySet()) {
                Path place = place(configuration);
                int exitCode = Integer.parseInt(Files.readString(place.resolve(TlcSeries.EXIT_CODE)));
                verdicts.put(configuration, verdict(configuration, exitCode, place.resolve(LOG)));
            }
            return verdicts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path place(Configuration configuration) {
        return folder.resolve(configuration.name()).toAbsolutePath();
    }

    private static void prepare(Path place, Configuration configuration, Map<String, String> generated)
            throws IOException {
        Map<String, String> modules = models();
        modules.putAll(generated);
        for (Map.Entry<String, String> module : modules.entrySet()) {
            write(place.resolve(module.getKey() + ".tla"), module.getValue());
        }
        write(place.resolve(CONFIGURATION), configuration.text());
        Files.deleteIfExists(place.resolve(LOG));
        Files.deleteIfExists(place.resolve(TlcSeries.EXIT_CODE));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private int run(JavaCommand command) throws IOException {
        try (ChildProcess tlc = command.start()) {
            return tlc.waitFor(patience);
        }
    }

    /** Returns TLC's arguments for a model in a folder that {@link #prepare} has filled. */
    static String[] arguments(Path place, String model, int workers) {
        return new String[] {
            "-workers",
            String.valueOf(workers),
            "-metadir",
            place.resolve("states").toString(),
            "-config",
            place.resolve(CONFIGURATION).toString(),
            place.resolve(model + ".tla").toString()
        };
    }

    private static Verdict verdict(Configuration configuration, int code, Path log) throws IOException {
        String output = Files.readString(log);
        return switch (code) {
            case HOLDS ->
                new Verdict.Holds(Long.parseLong(word(STATES, output)), Integer.parseInt(word(DEPTH, output)));
            case BREAKS -> new Verdict.Breaks(word(INVARIANT, output), steps(output));
            case BREAKS_IN_TIME -> new Verdict.Breaks(word(PROPERTY, configuration.text()), steps(output));
            default ->
                throw new IllegalStateException("TLC for " + configuration.name() + ": expected exit code " + HOLDS
                        + ", " + BREAKS + " or " + BREAKS_IN_TIME + ", was " + code + "; read the output of TLC in "
                        + log);
        };
    }

    private static Path locationOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("expected a file or a folder as the location of " + type, e);
        }
    }

    private static String word(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException(
                    "expected text that matches " + pattern + " in the input or output of TLC, found none");
        }
        return matcher.group(1);
    }

    private static List<String> steps(String output) {
        List<String> steps = new ArrayList<>();
        Matcher step = STEP.matcher(output);
        while (step.find()) {
            steps.add(step.group(1));
        }
        return steps;
    }
}
