package org.treerename.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.treerename.benchmark.Clients.Client;
import org.treerename.benchmark.Rounds.Side;
import picocli.CommandLine.Option;

/**
 * Renames of single files, each from the sending of its request record to the arrival of its outcome record: the engine is a
 * worker process. So many clients at once send their next one when their last one has ended.
 */
final class FileRenames implements Benchmark {

    private static final String ENGINE = "tree rename";
    private static final String TREE = "guide, tree locking";
    private static final String LIMIT = "bulks of updates";
    private static final String SINGLE = "one _bulk with refresh=true";
    private static final double TIMES_GUIDE = 25;
    private static final double OF_LIMIT = 0.25;
    private static final double TIMES_BULK = 4;
    private static final Duration QUICK = Duration.ofMillis(300);
    private static final Duration REST = Duration.ofMillis(100);
    private static final double MILLIS = 1_000;

    /** The limit's bulks have so many renames at least where there are as many clients, and more before there are more bulks. */
    private static final int LEAST_IN_BULK = 16;

    private static final int MOST_BULKS = 4;

    /** For each rename under way, so that the next one is not of the file of the last. */
    private static final int FILES = 8;

    /** As many files as that makes are still found by one search. */
    private static final int MOST_SATURATED = 1_000;

    @Option(
            names = "--file-clients",
            defaultValue = "1,4,16",
            split = ",",
            paramLabel = "N",
            description = "kafka: how many renames are under way at a time, before saturation; several with commas"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Integer> clients = List.of(1, 4, 16);

    @Option(
            names = "--file-saturated",
            defaultValue = "256",
            paramLabel = "N",
            description = "kafka: how many are under way when it is saturated (default: ${DEFAULT-VALUE}).")
    private int saturated = 256;

    @Option(
            names = "--file-seconds",
            defaultValue = "4",
            paramLabel = "N",
            description = "kafka: for how long each side is played in a round (default: ${DEFAULT-VALUE}).")
    private int seconds = 4;

    @Option(
            names = "--file-warm-up",
            defaultValue = "40",
            paramLabel = "N",
            description = "kafka: for how many seconds files are renamed before anything is timed, so that the servers'"
                    + " compilers have seen it (default: ${DEFAULT-VALUE}).")
    private int warmUp = 40;

    @Option(
            names = "--file-directories",
            defaultValue = "64",
            paramLabel = "N",
            description =
                    "kafka: over how many top-level directories the files are spread (default: ${DEFAULT-VALUE}).")
    private int tops = 64;

    @Option(
            names = "--file-samples",
            defaultValue = "30",
            paramLabel = "N",
            description = "kafka: of how many renames on the idle system a round gives the median"
                    + " (default: ${DEFAULT-VALUE}).")
    private int samples = 30;

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String compares() {
        return "Files are renamed: this engine with everything on, from the request record in Kafka to the outcome record;"
                + " the recipe of Elasticsearch: The Definitive Guide, one HTTP request for each step; and bare updates of"
                + " single documents in bulks (the limit).";
    }

    /** What all sides are played on. */
    private record Ground(Setting setting, Tree tree, Engine engine, GuideLockDocuments documents, GuideLocks trees) {

        Guide guide(FilePool files) {
            return new Guide(setting.stage().es(), documents, trees, tree.name(), files);
        }

        BulkUpdates bulks(FilePool files, int renames) {
            return new BulkUpdates(setting.stage().es(), tree.name(), files, renames);
        }
    }

    @Override
    public List<Comparison> run(Setting setting) throws Exception {
        Es es = setting.stage().es();
        int most = setting.size(saturated, 8);
        if (most < 1 || most > MOST_SATURATED || tops < 1 || tops > MOST_SATURATED) {
            throw new IllegalArgumentException("--file-saturated and --file-directories: 1 to " + MOST_SATURATED
                    + ", found " + most + " and " + tops);
        }
        int directories = setting.size(tops, 4);
        Tree tree = Tree.create(setting.stage(), "files-renamed", 1);
        FilePool spread = FilePool.create(es, tree, directories, Math.ceilDiv(FILES * most, directories));
        FilePool hot = FilePool.createHot(es, tree, "/hot", FILES * most);
        List<Comparison> comparisons = new ArrayList<>();
        try (Service worker = setting.stage().worker("--concurrency=" + most);
                Engine engine = new Engine(setting.stage())) {
            Ground ground = new Ground(
                    setting,
                    tree,
                    engine,
                    GuideLockDocuments.create(es, setting.time()),
                    new GuideLocks(setting.stage()));
            setting.progress().tell(worker.name() + " renames " + spread.size() + " files");
            if (!setting.quick()) {
                Clients warm = new Clients(most, Duration.ofSeconds(warmUp));
                warm.perSecond(setting.time(), spread.askedOf(engine));
            }
            // what is saturated first: it has both sides' compilers done with what the others measure
            List<Goal> goals = List.of(Goal.times(TIMES_GUIDE, ENGINE, TREE), Goal.times(OF_LIMIT, ENGINE, LIMIT));
            comparisons.add(atOnce(ground, spread, most, "saturated, " + most + " at a time", goals));
            comparisons.add(hot(ground, spread, hot, most));
            for (int count : setting.quick() ? List.of(1) : clients) {
                comparisons.add(atOnce(ground, spread, count, count + " at a time", List.of()));
            }
            comparisons.add(single(ground, spread));
        }
        return comparisons;
    }

    private Comparison atOnce(Ground ground, FilePool files, int count, String title, List<Goal> goals)
            throws Exception {
        Guide guide = ground.guide(files);
        int bulks = Math.clamp(count / LEAST_IN_BULK, 1, MOST_BULKS);
        List<Series> played = ground.setting()
                .rounds()
                .play(List.of(
                        side(ground, ENGINE, files, count, files.askedOf(ground.engine())),
                        side(ground, "guide, global locking", files, count, guide::global),
                        side(ground, "guide, document locking", files, count, guide::document),
                        side(ground, TREE, files, count, guide::tree),
                        side(ground, TREE + " of known ids", files, count, guide::treeOfKnownIds),
                        side(ground, LIMIT, files, bulks, ground.bulks(files, count / bulks)::once)));
        return new Comparison(
                "Renames of files, " + title,
                "renames/s",
                Better.HIGHER,
                played,
                goals,
                List.of(
                        "The same " + files.size() + " files, spread over "
                                + ground.setting().size(tops, 4)
                                + " top-level directories, are renamed within their directories; after each side it is checked"
                                + " that each stands in its place and no lock is left. The guide's clients are as"
                                + " many as the engine's, whose worker may carry as many at a time; of global and document"
                                + " locking, who is refused tries again after 2 ms on average. They look the"
                                + " source up by a search after a refresh; those of known ids do neither, and are what remains of"
                                + " the recipe when its locks alone are timed.",
                        "The limit has " + bulks + (bulks == 1 ? " bulk" : " bulks") + " of " + count / bulks
                                + " under way."));
    }

    private Comparison hot(Ground ground, FilePool spread, FilePool hot, int count) throws Exception {
        Guide guide = ground.guide(hot);
        List<Series> played = ground.setting()
                .rounds()
                .play(List.of(
                        side(ground, ENGINE + ", spread", spread, count, spread.askedOf(ground.engine())),
                        side(ground, ENGINE, hot, count, hot.askedOf(ground.engine())),
                        side(ground, TREE, hot, count, guide::tree),
                        side(ground, TREE + " of known ids", hot, count, guide::treeOfKnownIds)));
        return new Comparison(
                "Renames of files in one hot directory, " + count + " at a time",
                "renames/s",
                Better.HIGHER,
                played,
                List.of(),
                List.of("All files but those of the first side lie in one top-level directory: all requests go through"
                        + " one partition, and all renames share one lock document."));
    }

    private Comparison single(Ground ground, FilePool files) throws Exception {
        Client asking = files.askedOf(ground.engine());
        BulkUpdates bulk = ground.bulks(files, 1);
        Setting setting = ground.setting();
        List<Series> played = setting.rounds()
                .play(List.of(
                        new Side(ENGINE, "ms", () -> median(setting, () -> asking.once(() -> true))),
                        new Side(SINGLE, "ms", () -> median(setting, bulk::onceWithRefresh))));
        return new Comparison(
                "One rename of a file on an idle system",
                "ms",
                Better.LOWER,
                played,
                List.of(Goal.times(1 / TIMES_BULK, ENGINE, SINGLE)),
                List.of("Each figure is the median of " + setting.size(samples, 3) + " single ones with pauses of "
                        + REST.toMillis() + " ms. The goal is to take at most " + Figure.text(TIMES_BULK)
                        + " times as long as the bulk."));
    }

    /** In milliseconds. */
    private double median(Setting setting, Setting.Stretch what) throws Exception {
        List<Double> taken = new ArrayList<>();
        for (int i = 0; i < setting.size(samples, 3); i++) {
            setting.time().pause(REST);
            taken.add(MILLIS * setting.seconds(what));
        }
        return Spread.of(taken).median();
    }

    private Side side(Ground ground, String name, FilePool files, int count, Client client) {
        Setting setting = ground.setting();
        Clients at = new Clients(count, setting.quick() ? QUICK : Duration.ofSeconds(seconds));
        return new Side(name, "renames/s", () -> {
            ground.tree().settle();
            double perSecond = at.perSecond(setting.time(), client);
            files.requireInPlace();
            ground.documents().requireNoneLeft();
            ground.trees().requireNoneLeft();
            return perSecond;
        });
    }
}
