package org.treerename.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.DurationConverter;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs {@code deploy/verify/break-guards}: breaks guards one at a time. For each guard, prints the first test that
 * fails.
 */
@Command(
        name = "break-guards",
        sortOptions = false,
        description = {
            "Breaks guards of the protocol and its adapters, one at a time, in a copy of a commit. The"
                    + " command runs the tests for each broken guard. It prints the first test that failed, or"
                    + " SURVIVED.",
            "The command searches Java files and the scripts of Elasticsearch for guards, line by line. A guard is"
                    + " one of these: a condition that throws or returns, an operand of && or ||, a comparison, a"
                    + " filter, a check, or the sequence number of a conditional write. The seed selects the guards."
                    + " If a broken guard does not compile, the next guard replaces it."
        },
        footer = {
            "",
            "Exit codes: 0 a test failed for each broken guard, or --list printed the guards; 1 a broken guard"
                    + " survived, or a command failed; 2 wrong use; 3 the tests fail although no guard is broken.",
            "",
            "Examples:",
            "  deploy/verify/break-guards --seed 7 --count 40 --save forty.txt",
            "  deploy/verify/break-guards --from forty.txt --repository ../old --test 'mvn verify'"
        })
final class BreakGuards implements Callable<Integer> {

    private static final int TESTS_FAIL_ANYWAY = 3;

    private static final List<String> PLACES = List.of(
            "common/src/main/java/org/treerename/elastic",
            "common/src/main/java/org/treerename/journal",
            "common/src/main/java/org/treerename/lock",
            "common/src/main/java/org/treerename/namespace",
            "common/src/main/java/org/treerename/path",
            "common/src/main/java/org/treerename/process",
            "common/src/main/java/org/treerename/rename",
            "common/src/main/java/org/treerename/request",
            "common/src/main/java/org/treerename/store",
            "common/src/main/java/org/treerename/tree",
            "common/src/main/java/org/treerename/kafka",
            "common/src/main/resources/org/treerename/elastic",
            "rename-producer/client/src/main/java/org/treerename/producer/writer",
            "rename-worker/src/main/java",
            "lock-janitor/src/main/java/org/treerename/janitor/Janitor.java",
            "lock-janitor/src/main/java/org/treerename/janitor/audit",
            "lock-janitor/src/main/java/org/treerename/janitor/recovery");

    /** The command that runs the simulation, and the unit tests of the modules with guards. */
    private static final String QUICK_TESTS = String.join(
            " ",
            "mvn --batch-mode --offline",
            "'-Dtest=*Test' -Dsurefire.failIfNoSpecifiedTests=false -Dsurefire.skipAfterFailureCount=1",
            "-pl common,rename-producer/client,rename-worker,lock-janitor,deploy/verify/instrumented,deploy/verify/simulation -am package");

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "The seed that selects the guards (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--count",
            defaultValue = "40",
            paramLabel = "N",
            description = "The number of guards (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--in",
            paramLabel = "PLACE",
            description = "A folder or a file in which guards are broken." + " Repeatable.")
    private List<String> places = PLACES;

    @Option(
            names = "--test",
            paramLabel = "COMMAND",
            description = "The command that runs the tests (default: ${DEFAULT-VALUE}).")
    private String test = QUICK_TESTS;

    @Option(
            names = "--then",
            paramLabel = "COMMAND",
            description = "A command that runs more tests. It runs for each broken"
                    + " guard that the command of --test did not detect.")
    private @Nullable String then;

    @Option(names = "--list", description = "Print the selected guards, and run no tests.")
    private boolean list;

    @Option(names = "--save", paramLabel = "FILE", description = "Write the tested guards to a file, for --from.")
    private @Nullable Path save;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "Use all guards of a file that contains the output of --list or --save.")
    private @Nullable Path from;

    @Option(
            names = "--repository",
            paramLabel = "FOLDER",
            description = "The git repository that contains the commit (default: this repository).")
    private @Nullable Path repository;

    @Option(
            names = "--revision",
            defaultValue = "HEAD",
            paramLabel = "COMMIT",
            description = "The commit in which guards are broken (default: ${DEFAULT-VALUE}).")
    private String revision = "HEAD";

    @Option(
            names = "--limit",
            defaultValue = "15m",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description =
                    "The time limit of a test command (default: ${DEFAULT-VALUE}). A test command that exceeds the"
                            + " limit is treated as a failed test.")
    private Duration limit = Duration.ofMinutes(15);

    private final Time time = new SystemTime();
    private int caught;
    private int survived;

    public static void main(String[] arguments) {
        System.exit(Commands.run(new BreakGuards(), arguments));
    }

    @Override
    public Integer call() throws IOException {
        if (count < 1) {
            throw new IllegalArgumentException("--count must be at least 1, was " + count);
        }
        Path logs = DeployFolder.output().resolve("broken-guards");
        Path root = repository == null ? DeployFolder.root() : repository.toAbsolutePath();
        GuardTrial trial = GuardTrial.of(root, revision, logs, limit);
        Thread onInterrupt = new Thread(trial::close);
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        List<Mutation> chosen = from == null ? chosen(trial) : Mutation.parse(Files.readAllLines(from));
        if (list) {
            chosen.stream().limit(count).map(Mutation::text).forEach(System.out::print);
            return Commands.DONE;
        }
        System.out.println("running the tests without a broken guard: " + test);
        if (!(trial.test(test) instanceof GuardTrial.Result.Survived)) {
            System.out.println(
                    "the tests fail although no guard is broken; correct the tests first; their output is in "
                            + trial.log());
            return TESTS_FAIL_ANYWAY;
        }
        List<Mutation> counted = run(trial, chosen);
        if (save != null) {
            Files.writeString(
                    save, String.join("", counted.stream().map(Mutation::text).toList()));
        }
        System.out.printf("broken guards: %d (caught: %d, survived: %d)%n", caught + survived, caught, survived);
        return survived == 0 ? Commands.DONE : Commands.FAILED;
    }

    /**
     * Returns the mutations of the selected source files, at most one for each line. The order of the mutations is
     * random and depends on the seed.
     */
    private List<Mutation> chosen(GuardTrial trial) {
        List<Mutation> all = new ArrayList<>();
        for (String file : trial.sources(places)) {
            all.addAll(Mutator.of(file, trial.lines(file)));
        }
        Set<String> used = new HashSet<>();
        return shuffled(all, new Random(seed)).stream()
                .filter(mutation -> used.add(mutation.place()))
                .toList();
    }

    /**
     * Shuffles the mutations. For each position, draws a kind first, and then a mutation of this kind. Otherwise most
     * of the first mutations would be flipped comparisons, which tests detect easily.
     */
    private static List<Mutation> shuffled(List<Mutation> all, Random random) {
        SortedMap<String, List<Mutation>> kinds = new TreeMap<>();
        all.forEach(mutation -> kinds.computeIfAbsent(mutation.kind(), kind -> new ArrayList<>())
                .add(mutation));
        kinds.values().forEach(ofKind -> Collections.shuffle(ofKind, random));
        List<Mutation> shuffled = new ArrayList<>();
        while (!kinds.isEmpty()) {
            String kind = List.copyOf(kinds.keySet()).get(random.nextInt(kinds.size()));
            List<Mutation> ofKind = Objects.requireNonNull(kinds.get(kind));
            shuffled.add(ofKind.removeLast());
            if (ofKind.isEmpty()) {
                kinds.remove(kind);
            }
        }
        return shuffled;
    }

    private List<Mutation> run(GuardTrial trial, List<Mutation> chosen) {
        List<Mutation> counted = new ArrayList<>();
        for (Mutation mutation : chosen) {
            if (from == null && counted.size() == count) {
                break;
            }
            long begun = time.nanos();
            GuardTrial.Result result = trial.test(mutation, test);
            if (result instanceof GuardTrial.Result.Survived && then != null) {
                result = trial.test(mutation, then);
            }
            String resultText = inWords(result);
            if (result instanceof GuardTrial.Result.Caught || result instanceof GuardTrial.Result.Survived) {
                counted.add(mutation);
            }
            System.out.printf(
                    Locale.ROOT,
                    "%3d  %s  %s  %s  %d s  %s%n",
                    counted.size(),
                    mutation.place(),
                    mutation.operator(),
                    resultText,
                    Duration.ofNanos(time.nanos() - begun).toSeconds(),
                    trial.log().getFileName());
        }
        return counted;
    }

    private String inWords(GuardTrial.Result result) {
        return switch (result) {
            case GuardTrial.Result.Survived() -> {
                survived++;
                yield "SURVIVED";
            }
            case GuardTrial.Result.Caught(String by) -> {
                caught++;
                yield "caught by " + by;
            }
            case GuardTrial.Result.DoesNotCompile() -> "does not compile, so it is not counted";
            case GuardTrial.Result.NotFound() -> "is not in this version, so it is not counted";
        };
    }
}
