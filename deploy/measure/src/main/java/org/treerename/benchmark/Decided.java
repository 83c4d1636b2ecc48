package org.treerename.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.treerename.benchmark.Rounds.Side;
import org.treerename.benchmark.TreeDocuments.Kind;
import org.treerename.request.Outcome;
import picocli.CommandLine.Option;

/**
 * Measures the time until a rename is decided. After the decision, readers see the new paths, although the worker is
 * still moving documents.
 */
final class Decided implements Benchmark {

    private static final String ENGINE = "tree rename, from the request record to the commit";
    private static final String BULK = "one _bulk with refresh=true";
    private static final String BESIDE = "tree rename of 10 documents, while the large directory moves";
    private static final int BESIDE_DOCUMENTS = 10;
    private static final int TINY = 30;

    /**
     * The rename of a directory with at least this number of documents takes a long time. So the benchmark measures
     * renames of a small directory at the same time. One rename of the large directory per round is enough.
     */
    private static final int LONG = 100_000;

    private static final int LARGE = 1_000_000;

    @Option(
            names = "--decided-documents",
            defaultValue = "10,1000,10000,100000,1000000",
            split = ",",
            paramLabel = "N",
            description =
                    "decided: the numbers of documents of the directory, separated by commas (default: ${DEFAULT-VALUE}).")
    private List<Integer> documents = List.of(10, 1_000, 10_000, 100_000, 1_000_000);

    @Option(
            names = "--decided-samples",
            defaultValue = "9",
            paramLabel = "N",
            description = "decided: the number of measured renames in a round, for a directory of at most 1,000"
                    + " documents (default: ${DEFAULT-VALUE}). For a larger directory, the number is smaller. The"
                    + " round reports the median.")
    private int samples = 9;

    @Override
    public String name() {
        return "decided";
    }

    @Override
    public String compares() {
        return "The benchmark measures the time until the rename of a directory is decided, for directories of"
                + " different sizes. This is the time from the time stamp of the request record in Kafka to"
                + " committed_at of the outcome. The benchmark compares this time with the time of one bulk request"
                + " for one document. The bulk request waits for the refresh.";
    }

    @Override
    public List<Comparison> run(Setting setting) throws Exception {
        List<Comparison> comparisons = new ArrayList<>();
        try (Service worker = setting.stage().worker();
                Engine engine = new Engine(setting.stage())) {
            setting.progress().report(worker.name() + " renames");
            for (int size : setting.documents(documents, TINY)) {
                Moving directory = setting.directories().of(new Moving.Key(size, Kind.USUAL, 1));
                comparisons.add(compare(setting, directory, engine));
            }
        }
        return comparisons;
    }

    private Comparison compare(Setting setting, Moving directory, Engine engine) throws Exception {
        int size = directory.key().documents();
        List<Side> sides = new ArrayList<>();
        sides.add(new Side(
                ENGINE, "ms", () -> setting.median(samples(setting, size), () -> decided(directory, engine))));
        sides.add(new Side(
                BULK, "ms", () -> setting.median(samples(setting, 1), () -> 1_000 * directory.refreshedBulk(setting))));
        if (size >= LONG) {
            Moving small = directory.beside(BESIDE_DOCUMENTS);
            sides.add(new Side(BESIDE, "ms", () -> beside(directory, small, engine)));
        }
        directory.tree().settle();
        if (!setting.tiny() && size < LONG) {
            for (int i = 0; i < samples; i++) {
                directory.move(engine); // the first renames of a new worker are slow
            }
        }
        Rounds rounds = size >= LARGE ? setting.rounds().halved() : setting.rounds();
        return new Comparison(
                "Time until the rename of a directory with " + directory.key().counted() + " documents is decided",
                "ms",
                Better.LOWER,
                rounds.play(sides),
                Goals.decided(ENGINE, BULK),
                List.of(String.format(
                        Locale.ROOT,
                        "Each figure of tree rename is the median of %d renames, and each figure of the bulk is the"
                                + " median of %d bulks. There is a pause of %d ms before each rename and each bulk. The"
                                + " index is not merged between the measurements. Times of tree rename are in whole"
                                + " milliseconds.",
                        samples(setting, size),
                        samples(setting, 1),
                        Setting.REST.toMillis())));
    }

    private int samples(Setting setting, int size) {
        if (size >= LONG) {
            return 1;
        }
        return setting.size(size > 1_000 ? Math.ceilDiv(samples, 3) : samples, 3, 2);
    }

    private static double decided(Moving directory, Engine engine) throws Exception {
        return Engine.decidedMillis(directory.move(engine));
    }

    /**
     * Renames the small directory again and again during the rename of the large directory. Returns the median time
     * until a rename of the small directory was decided.
     */
    private static double beside(Moving large, Moving small, Engine engine) throws Exception {
        List<Outcome> outcomes = new ArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Outcome> moving = thread.submit(() -> {
                try {
                    return large.move(engine);
                } finally {
                    over.set(true);
                }
            });
            while (!over.get()) {
                outcomes.add(small.move(engine));
            }
            Outcome ended = moving.get();
            List<Double> during = outcomes.stream()
                    .filter(outcome -> outcome.requestedAt().isBefore(ended.finishedAt()))
                    .map(Engine::decidedMillis)
                    .toList();
            return Spread.of(during).median();
        }
    }
}
