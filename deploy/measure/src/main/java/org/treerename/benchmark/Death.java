package org.treerename.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.treerename.benchmark.Rounds.Side;
import picocli.CommandLine.Option;

/** Measures the time until a janitor finishes the rename of a worker that was killed in the middle of the move. */
final class Death implements Benchmark {

    private static final String KILLED = "from kill -9 to the outcome";
    private static final String BOUND = "the bound";
    private static final int PAGES = 10;
    private static final int LEAST_PAGE = 50;
    private static final int MOST_PAGE = 1_000;
    private static final int QUICK_LEASE = 2;

    @Option(
            names = "--death-documents",
            defaultValue = "10000,50000",
            split = ",",
            paramLabel = "N",
            description = "death: the numbers of documents of the renamed directory, separated by commas"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Integer> documents = List.of(10_000, 50_000);

    @Option(
            names = "--death-lease",
            defaultValue = "5",
            paramLabel = "SECONDS",
            description =
                    "death: the lease of the worker and of the janitor, in seconds (default:" + " ${DEFAULT-VALUE}).")
    private int leaseSeconds = 5;

    @Override
    public String name() {
        return "death";
    }

    @Override
    public String compares() {
        return "A worker is killed by kill -9 in the middle of a move. The benchmark compares the time until the"
                + " outcome with a bound. The bound is the lease, plus two ticks, plus one and a half times the time"
                + " of the rest of the move. A tick is a sixth of the lease. The time of the rest is calculated from"
                + " a move without a kill.";
    }

    @Override
    public List<Comparison> run(Setting setting) throws Exception {
        Duration lease = Duration.ofSeconds(setting.size(leaseSeconds, QUICK_LEASE));
        List<Comparison> comparisons = new ArrayList<>();
        for (int size : setting.documents(documents, 10_000)) {
            comparisons.add(compare(setting, size, lease));
        }
        return comparisons;
    }

    private static Comparison compare(Setting setting, int size, Duration lease) throws Exception {
        int page = Math.clamp(size / PAGES, LEAST_PAGE, MOST_PAGE);
        String counted = String.format(Locale.ROOT, "%,d", size);
        setting.progress().report("creating a directory with " + counted + " documents");
        List<Series> played;
        String[] options = {"--lease=" + lease.toSeconds() + "s", "--page-size=" + page};
        try (Service janitor = setting.stage().janitor(options);
                Dying dying = Dying.create(setting, size, lease, options)) {
            setting.progress().report(janitor.name() + " is live, with a lease of " + lease.toSeconds() + " s");
            played = setting.rounds()
                    .play(List.of(
                            new Side("the whole move without a kill", "s", dying::undisturbed),
                            new Side(KILLED, "s", dying::killed),
                            new Side(BOUND, "s", dying::bound)));
        }
        return new Comparison(
                "A worker that is killed while it moves a directory with " + counted + " documents",
                "s",
                Better.LOWER,
                played,
                List.of(Goal.times(1, KILLED, BOUND)),
                List.of(
                        "The lease is " + lease.toSeconds() + " s, and both services read pages of " + page
                                + " documents. So a worker can be killed in the middle of a move. The benchmark"
                                + " kills the worker when a search after a refresh finds a third of the documents at"
                                + " the destination.",
                        "Before the kill, the same worker moves the directory once without a kill. This time is"
                                + " measured from the commit to the end of the rename. After the kill, a search"
                                + " after a refresh counts the documents that are not"
                                + " at the destination yet. The bound of each round is calculated from this count"
                                + " and from the move without a kill. If all documents are at the destination, the"
                                + " rename is repeated with another worker. The goal is reached if the time is not"
                                + " longer than the bound."));
    }
}
