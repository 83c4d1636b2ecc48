package org.treerename.local;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.SystemTime;
import org.treerename.simulation.Campaign;
import org.treerename.simulation.Figures;
import org.treerename.simulation.Happening;
import org.treerename.simulation.Simulation;
import org.treerename.simulation.Wiring;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs {@code deploy/verify/simulate}: simulates one run for each seed, and prints the history of a run with a
 * violation.
 */
@Command(
        name = "simulate",
        sortOptions = false,
        description = {
            "Runs the code of three workers and two janitors with a simulated Elasticsearch, Kafka and clock, once"
                    + " for each seed. The simulation contains crashes, freezes, failovers, network partitions"
                    + " and two writers without locks. Requests are lost, late or repeated. The command checks the"
                    + " guarantees of the protocol.",
            "The exit code is 0 if no run violated a guarantee. Otherwise it is 1, and the command prints the seed and"
                    + " the history of a run that violated a guarantee."
        },
        footer = {"", "Example: deploy/verify/simulate --seeds 1000000 --from 1"})
final class Simulate implements Callable<Integer> {

    private static final List<Happening> PRINTED = List.of(
            Happening.CRASH,
            Happening.FREEZE,
            Happening.FENCE,
            Happening.TAKE_OVER,
            Happening.HAND_OVER,
            Happening.FAILOVER,
            Happening.CUT_OFF,
            Happening.LOST_REQUEST,
            Happening.LOST_ANSWER,
            Happening.LATE_WRITE,
            Happening.SENT_TWICE);

    @Option(
            names = "--seeds",
            defaultValue = "10000",
            paramLabel = "N",
            description = "The number of runs (default: ${DEFAULT-VALUE}).")
    private long seeds;

    @Option(
            names = "--from",
            defaultValue = "1",
            paramLabel = "SEED",
            description = "The first seed (default: ${DEFAULT-VALUE}). Each further run uses the next seed.")
    private long from;

    @Option(names = "--history", description = "Run only the first seed, and print all its events.")
    private boolean history;

    public static void main(String[] arguments) {
        System.exit(Commands.run(new Simulate(), arguments));
    }

    @Override
    public Integer call() {
        if (seeds < 1) {
            throw new IllegalArgumentException("--seeds must be at least 1, was " + seeds);
        }
        ((Logger) LoggerFactory.getLogger("org.treerename")).setLevel(Level.OFF);
        if (history) {
            return printHistory(Simulation.run(from, Wiring.PLAIN, true));
        }
        SystemTime time = new SystemTime();
        long begun = time.nanos();
        Figures figures;
        try (TerminalBar bar = TerminalBar.of("runs", seeds)) {
            figures = Campaign.run(from, seeds, Wiring.PLAIN, soFar -> bar.step());
        }
        printFigures(figures, Duration.ofNanos(time.nanos() - begun));
        return figures.failure()
                .map(failure -> printHistory(Simulation.run(failure.seed(), Wiring.PLAIN, true)))
                .orElse(Commands.DONE);
    }

    private static void printFigures(Figures figures, Duration duration) {
        PrintStream out = System.out;
        out.printf(
                Locale.ROOT,
                "runs: %,d in %.1f s, steps: %,d, renames: %,d%n",
                figures.runs(),
                duration.toMillis() / 1_000.0,
                figures.steps(),
                figures.renames());
        for (Happening happening : PRINTED) {
            out.printf(
                    Locale.ROOT,
                    "%-14s %,12d in %5.1f %% of the runs%n",
                    happening.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    figures.count(happening),
                    100 * figures.share(happening));
        }
    }

    private static int printHistory(Simulation.Result run) {
        run.history().forEach(System.out::println);
        if (run.violations().isEmpty()) {
            System.out.println("seed " + run.seed() + ": no violation");
            return Commands.DONE;
        }
        run.violations().forEach(System.out::println);
        System.out.println("the run with seed " + run.seed()
                + " violated a guarantee; to repeat it: deploy/verify/simulate --history --from " + run.seed());
        return Commands.FAILED;
    }
}
