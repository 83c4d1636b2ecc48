package org.treerename.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.treerename.protocol.Check;
import org.treerename.protocol.Checked;
import org.treerename.protocol.Configuration;
import org.treerename.protocol.ModelChecker;
import org.treerename.protocol.Verdict;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs {@code deploy/verify/model-check}: checks the models of the protocol with TLC, and records the finished checks.
 */
@Command(
        name = "model-check",
        sortOptions = false,
        description = {
            "Runs the model checker TLC on the models of the protocol (deploy/verify/protocol). TLC visits every state"
                    + " that a model can reach. The command prints the number of states. The exit code is 0 if all"
                    + " properties hold, and 1 if a property does not hold."
        },
        footer = {"", "Example: deploy/verify/model-check --full --workers 2"})
final class ModelCheck implements Callable<Integer> {

    @Option(
            names = "--full",
            description = "Check the large configurations as well. Each large configuration takes minutes, and the"
                    + " largest takes hours.")
    private boolean full;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            description = "Check only the configuration in the file NAME.cfg. Repeatable.")
    private List<String> only = List.of();

    @Option(
            names = "--workers",
            defaultValue = "1",
            paramLabel = "N",
            description = "The number of threads of the model checker (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--record",
            description = {
                "Run each check of the small configurations that is missing from deploy/verify/protocol/checked.txt."
                        + " Add each check that has the expected result to this file. Each configuration has one"
                        + " check with all guards. For each guard, it has one more check without this guard. The build"
                        + " fails if a check is missing from the file."
            })
    private boolean record;

    public static void main(String[] arguments) {
        System.exit(Commands.run(new ModelCheck(), arguments));
    }

    @Override
    public Integer call() {
        ModelChecker checker = new ModelChecker(DeployFolder.output().resolve("models"), workers, Duration.ofDays(7));
        if (record) {
            return record(checker, DeployFolder.checked());
        }
        Time time = new SystemTime();
        boolean allHold = true;
        for (Configuration configuration : chosen()) {
            System.out.printf("%-24s ", configuration.name());
            System.out.flush();
            long begun = time.nanos();
            Verdict verdict = checker.check(configuration);
            System.out.printf(
                    Locale.ROOT,
                    "%s, %d s%n",
                    inWords(verdict),
                    Duration.ofNanos(time.nanos() - begun).toSeconds());
            allHold &= verdict instanceof Verdict.Holds;
        }
        return allHold ? Commands.DONE : Commands.FAILED;
    }

    /**
     * The file gets one line for each check that has the expected verdict; the build fails if a line is missing. The
     * file is written after each check, so that the next run can continue an interrupted run.
     */
    private static int record(ModelChecker checker, Path file) {
        List<Check> all = Check.small();
        Checked checked = Checked.read(file);
        Set<Check> passed = all.stream().filter(checked::has).collect(Collectors.toCollection(HashSet::new));
        for (Check check : all) {
            if (passed.contains(check)) {
                continue;
            }
            String verdict = Check.inWords(checker.check(check.configuration()));
            System.out.printf("%-50s %s%n", check.name(), verdict);
            if (verdict.equals(check.expected())) {
                passed.add(check);
            } else {
                System.out.printf("%-50s expected: %s%n", check.name(), check.expected());
            }
            Checked.of(all.stream().filter(passed::contains).toList()).write(file);
        }
        System.out.printf("%s has %d of %d checks%n", file, passed.size(), all.size());
        return passed.size() == all.size() ? Commands.DONE : Commands.FAILED;
    }

    private List<Configuration> chosen() {
        List<Configuration> all = new ArrayList<>(Configuration.small());
        all.addAll(Configuration.large());
        for (String name : only) {
            if (all.stream().noneMatch(configuration -> configuration.name().equals(name))) {
                throw new IllegalArgumentException("--only must be one of "
                        + all.stream().map(Configuration::name).toList() + ", was " + name);
            }
        }
        if (!only.isEmpty()) {
            return all.stream()
                    .filter(configuration -> only.contains(configuration.name()))
                    .toList();
        }
        return full ? all : Configuration.small();
    }

    private static String inWords(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Holds holds ->
                String.format(Locale.ROOT, "holds: %,d states, depth %d", holds.states(), holds.depth());
            case Verdict.Breaks breaks ->
                breaks.property() + " does not hold after these steps: " + String.join(", ", breaks.steps());
        };
    }
}
