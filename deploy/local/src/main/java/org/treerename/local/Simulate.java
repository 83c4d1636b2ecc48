package org.treerename.local;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.SystemTime;
import org.treerename.simulation.Campaign;
import org.treerename.simulation.Figures;
import org.treerename.simulation.Happening;
import org.treerename.simulation.Simulation;
import org.treerename.simulation.Wiring;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code deploy/local/simulate}. */
@Command(
        name = "simulate",
        sortOptions = false,
        description = {
            "Runs the code of three workers and two janitors under a simulated Elasticsearch, Kafka and clock, once for each"
                    + " seed, with crashes, freezes, failovers, partitions, lost, late and repeated requests and two outside"
                    + " writers, and checks what must hold.",
            "Ends with 0 if all of it held in each run, and with 1 if not; then it tells the seed and its history."
        },
        footer = {"", "Example: deploy/local/simulate --seeds 1000000 --from 1"})
final class Simulate implements Callable<Integer> {

    private static final List<Happening> TOLD = List.of(
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
            description = "How many runs (default: ${DEFAULT-VALUE}).")
    private long seeds;

    @Option(
            names = "--from",
            defaultValue = "1",
            paramLabel = "SEED",
            description = "The first seed; those that follow it are the others (default: ${DEFAULT-VALUE}).")
    private long from;

    @Option(names = "--history", description = "Run the first seed alone, and tell all that happens in it.")
    private boolean history;

    public static void main(String[] arguments) {
        System.exit(Commands.run(new Simulate(), arguments));
    }

    @Override
    public Integer call() {
        if (seeds < 1) {
            throw new IllegalArgumentException("--seeds: at least 1, found " + seeds);
        }
        ((Logger) LoggerFactory.getLogger("org.treerename")).setLevel(Level.OFF);
        if (history) {
            return told(Simulation.run(from, Wiring.PLAIN, true));
        }
        SystemTime time = new SystemTime();
        long begun = time.nanos();
        Figures figures;
        try (Bar bar = Bar.of(seeds)) {
            figures = Campaign.run(from, seeds, Wiring.PLAIN, soFar -> bar.step());
        }
        tell(figures, Duration.ofNanos(time.nanos() - begun));
        return figures.failure()
                .map(failure -> told(Simulation.run(failure.seed(), Wiring.PLAIN, true)))
                .orElse(Commands.DONE);
    }

    private static void tell(Figures figures, Duration took) {
        PrintStream out = System.out;
        out.printf(
                Locale.ROOT,
                "%,d runs in %s, %,d steps, %,d renames%n",
                figures.runs(),
                Narrator.seconds(took),
                figures.steps(),
                figures.renames());
        for (Happening happening : TOLD) {
            out.printf(
                    Locale.ROOT,
                    "%-14s %,12d in %5.1f %% of the runs%n",
                    happening.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    figures.count(happening),
                    100 * figures.share(happening));
        }
    }

    private static int told(Simulation.Result run) {
        run.history().forEach(System.out::println);
        if (run.violations().isEmpty()) {
            System.out.println("seed " + run.seed() + ": all held");
            return Commands.DONE;
        }
        run.violations().forEach(System.out::println);
        System.out.println("seed " + run.seed() + " violated something; deploy/local/simulate --history --from "
                + run.seed() + " runs it again");
        return Commands.FAILED;
    }

    /** Shown to a person only. */
    private record Bar(Optional<ProgressBar> bar) implements AutoCloseable {

        static Bar of(long seeds) {
            return new Bar(
                    Boolean.getBoolean("tree-rename.terminal")
                            ? Optional.of(new ProgressBarBuilder()
                                    .setTaskName("runs")
                                    .setInitialMax(seeds)
                                    .build())
                            : Optional.empty());
        }

        void step() {
            bar.ifPresent(ProgressBar::step);
        }

        @Override
        public void close() {
            bar.ifPresent(ProgressBar::close);
        }
    }
}
