package org.treerename.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.treerename.benchmark.Clients.Client;
import org.treerename.benchmark.Rounds.Side;
import picocli.CommandLine.Option;

/**
 * Measures renames of single files. The engine is a worker process. A rename is measured from the sending of the
 * request record to the arrival of the outcome record. Several clients run at the same time. A client sends its next
 * request after the outcome of its last request.
 */
final class FileRenames implements Benchmark {

    private static final String ENGINE = "tree rename";
    private static final String TREE = "guide, tree locking";
    private static final String KNOWN = "guide, tree locking of known ids";
    private static final String LIMIT = "bulks of updates";
    private static final String SINGLE = "one _bulk with refresh=true";
    private static final Duration REST = Duration.ofMillis(100);
    private static final double MILLIS = 1_000;

    /**
     * The smallest number of renames in a bulk request of the limit (bulk updates without guarantees). With more
     * clients, more bulk requests run at the same time. With fewer clients, the bulk requests are smaller.
     */
    private static final int LEAST_IN_BULK = 16;

    private static final int MOST_BULKS = 4;

    /**
     * The number of files for each concurrent rename. With two files, a client does not rename the same file twice in
     * succession.
     */
    private static final int FILES = 2;

    private static final int LEAST_FILES = 2_048;
    private static final int MOST_UNDER_WAY = 10_000;
    private static final int MOST_DIRECTORIES = 1_000;

    /**
     * The largest concurrency of a worker. If there are more requests, they wait in Kafka and in the queue of the
     * worker.
     */
    private static final int MOST_CARRIED = 1_000;

    /**
     * The largest number of clients of the guide. Elasticsearch queues at most this number of searches, and refuses
     * further searches.
     */
    private static final int MOST_GUIDE_CLIENTS = 512;

    /** The number of concurrent renames in the hot directory. In this directory the requests of the guide conflict. */
    private static final int HOT = 256;

    @Option(
            names = "--file-clients",
            defaultValue = "1,16",
            split = ",",
            paramLabel = "N",
            description = "kafka: the numbers of concurrent renames before saturation, separated by commas"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Integer> clients = List.of(1, 16);

    @Option(
            names = "--file-saturated",
            defaultValue = "256,1024,4096",
            split = ",",
            paramLabel = "N",
            description = "kafka: the numbers of concurrent renames at saturation, separated by commas"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Integer> saturated = List.of(256, 1_024, 4_096);

    @Option(
            names = "--file-guide-clients",
            defaultValue = "64,256,512",
            split = ",",
            paramLabel = "N",
            description =
                    "kafka: the numbers of clients of the guide's tree locking at saturation, separated by commas, at"
                            + " most " + MOST_GUIDE_CLIENTS
                            + " (default: ${DEFAULT-VALUE}). The benchmark uses the best number.")
    private List<Integer> guideClients = List.of(64, 256, 512);

    @Option(
            names = "--file-seconds",
            defaultValue = "4",
            paramLabel = "N",
            description = "kafka: the seconds for which each compared variant is measured in a round (default:"
                    + " ${DEFAULT-VALUE}).")
    private int seconds = 4;

    @Option(
            names = "--file-warm-up",
            defaultValue = "40",
            paramLabel = "N",
            description = "kafka: the seconds for which files are renamed before the measurement (default:"
                    + " ${DEFAULT-VALUE}). So the compilers of the servers are warm.")
    private int warmUp = 40;

    @Option(
            names = "--file-directories",
            defaultValue = "64",
            paramLabel = "N",
            description = "kafka: the number of top-level directories with the files (default: ${DEFAULT-VALUE}).")
    private int tops = 64;

    @Option(
            names = "--file-samples",
            defaultValue = "30",
            paramLabel = "N",
            description = "kafka: the number of measured renames on the idle system in a round (default:"
                    + " ${DEFAULT-VALUE}). The round reports their median.")
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

    @Override
    public List<Comparison> run(Setting setting) throws Exception {
        Es es = setting.stage().es();
        List<Integer> underWay = setting.tiny() ? List.of(8) : saturated;
        int most = Collections.max(underWay);
        requireWithin("--file-saturated", underWay, MOST_UNDER_WAY);
        requireWithin("--file-directories", List.of(tops), MOST_DIRECTORIES);
        requireWithin("--file-guide-clients", guideClients, MOST_GUIDE_CLIENTS);
        int directories = setting.size(tops, 4);
        Tree tree = Tree.create(setting.stage(), "files-renamed", 1);
        int files = Math.max(setting.size(LEAST_FILES, 64), FILES * most);
        FilePool spread = FilePool.create(es, tree, directories, Math.ceilDiv(files, directories));
        FilePool hot = FilePool.createHot(es, tree, "/hot", setting.size(LEAST_FILES, 64));
        List<Comparison> comparisons = new ArrayList<>();
        try (Service worker = setting.stage().worker("--concurrency=" + Math.min(most, MOST_CARRIED));
                Engine engine = new Engine(setting.stage())) {
            FileGround ground = new FileGround(
                    setting,
                    tree,
                    engine,
                    GuideLockDocuments.create(es, setting.time()),
                    new GuideLocks(setting.stage()),
                    new Costs(setting.stage().processorTime()),
                    setting.stretch(seconds));
            setting.progress().report(worker.name() + " renames " + spread.size() + " files");
            if (!setting.tiny()) {
                Clients warm =
                        new Clients(Math.min(most, MOST_CARRIED), Duration.ofSeconds(setting.size(warmUp, 5, 0)));
                warm.work(setting.time(), spread.askedOf(engine));
            }
            // the saturated renames run first, so that the code of all sides is compiled before the other comparisons
            comparisons.addAll(saturated(ground, spread, underWay));
            comparisons.add(hot(ground, spread, hot, setting.size(HOT, 8)));
            for (int count : setting.tiny() ? List.of(1) : clients) {
                comparisons.addAll(atOnce(ground, spread, count));
            }
            comparisons.add(single(ground, spread));
        }
        return comparisons;
    }

    private static void requireWithin(String option, List<Integer> found, int most) {
        if (found.isEmpty() || found.stream().anyMatch(count -> count < 1 || count > most)) {
            throw new IllegalArgumentException(option + " must be 1 to " + most + ", was " + found);
        }
    }

    /**
     * Compares the engine with the guide. The engine has several numbers of concurrent renames. The guide has the
     * numbers of clients that are best for it.
     */
    private List<Comparison> saturated(FileGround ground, FilePool files, List<Integer> underWay) throws Exception {
        Guide guide = ground.guide(files);
        List<Integer> guides = ground.setting().tiny() ? List.of(2) : guideClients;
        int ofLimit = Collections.min(underWay);
        int bulks = bulks(ofLimit);
        List<Side> sides = new ArrayList<>();
        for (int count : underWay) {
            sides.add(ground.side(at(ENGINE, count), Costs.ENGINE, files, count, files.askedOf(ground.engine())));
        }
        for (int count : guides) {
            sides.add(ground.side(at(TREE, count), Costs.PEER, files, count, guide::tree));
        }
        int known = Collections.max(guides);
        sides.add(ground.side(at(KNOWN, known), Costs.PEER, files, known, guide::treeOfKnownIds));
        sides.add(
                ground.side(LIMIT, Costs.PEER, files, bulks, ground.bulks(files, Math.max(1, ofLimit / bulks))::once));
        List<Goal> goals = new ArrayList<>();
        List<Goal> costs = new ArrayList<>();
        List<String> theirs = guides.stream().map(count -> at(TREE, count)).toList();
        for (int count : underWay) {
            goals.addAll(Goals.files(count, at(ENGINE, count), theirs));
            costs.addAll(Goals.fileCost(count, Costs.name(at(ENGINE, count), Role.ELASTICSEARCH)));
        }
        return compared(
                ground,
                sides,
                "Renames of files, saturated",
                goals,
                costs,
                List.of(
                        "The engine has one worker, which carries up to " + MOST_CARRIED
                                + " renames at once; the rest of"
                                + " what is under way waits in Kafka and in its window. A play sends for "
                                + ground.length().toMillis() + " ms, a second longer for each "
                                + FileGround.SATURATED_A_SECOND + " under way, and lasts until the last outcome.",
                        notes(ground, files),
                        "The limit has " + bulks + (bulks == 1 ? " bulk" : " bulks") + " of "
                                + Math.max(1, ofLimit / bulks) + " under way."));
    }

    private static String at(String side, int count) {
        return side + String.format(Locale.ROOT, ", %,d at a time", count);
    }

    private static int bulks(int count) {
        return Math.clamp(count / LEAST_IN_BULK, 1, MOST_BULKS);
    }

    private static String notes(FileGround ground, FilePool files) {
        return "The same " + files.size() + " files, spread over top-level directories, are renamed within their"
                + " directories; after each side it is checked that each file is at its path and no lock is left. The guide's"
                + " clients look the source up by a search after a refresh; those of known ids do neither, and are what remains"
                + " of the recipe when its locks alone are timed. With global and document locking, a refused client tries again"
                + " after 2 ms on average. The index is " + ground.tree().name() + ".";
    }

    private List<Comparison> compared(
            FileGround ground, List<Side> sides, String title, List<Goal> goals, List<Goal> costs, List<String> notes)
            throws Exception {
        List<String> names =
                sides.stream().map(side -> side.measures().getFirst().name()).toList();
        List<Series> played = ground.setting().rounds().play(sides);
        return List.of(
                new Comparison(title, "renames/s", Better.HIGHER, Costs.figuresOf(names, played), goals, notes),
                Costs.comparison(title, names, played, costs));
    }

    private List<Comparison> atOnce(FileGround ground, FilePool files, int count) throws Exception {
        Guide guide = ground.guide(files);
        int bulks = bulks(count);
        return compared(
                ground,
                List.of(
                        ground.side(ENGINE, Costs.ENGINE, files, count, files.askedOf(ground.engine())),
                        ground.side("guide, global locking", Costs.PEER, files, count, guide::global),
                        ground.side("guide, document locking", Costs.PEER, files, count, guide::document),
                        ground.side(TREE, Costs.PEER, files, count, guide::tree),
                        ground.side(KNOWN, Costs.PEER, files, count, guide::treeOfKnownIds),
                        ground.side(LIMIT, Costs.PEER, files, bulks, ground.bulks(files, count / bulks)::once)),
                "Renames of files, " + count + " at a time",
                List.of(),
                List.of(),
                List.of(notes(ground, files)));
    }

    private Comparison hot(FileGround ground, FilePool spread, FilePool hot, int count) throws Exception {
        Guide guide = ground.guide(hot);
        List<Side> sides = List.of(
                ground.side(ENGINE + ", spread", Costs.ENGINE, spread, count, spread.askedOf(ground.engine())),
                ground.side(ENGINE, Costs.ENGINE, hot, count, hot.askedOf(ground.engine())),
                ground.side(TREE, Costs.PEER, hot, count, guide::tree),
                ground.side(KNOWN, Costs.PEER, hot, count, guide::treeOfKnownIds));
        return compared(
                        ground,
                        sides,
                        "Renames of files in one hot directory, " + count + " at a time",
                        List.of(),
                        List.of(),
                        List.of("All files but those of the first side lie in one top-level directory: all requests go"
                                + " through one partition and, of this engine, one lock table."))
                .getFirst();
    }

    private Comparison single(FileGround ground, FilePool files) throws Exception {
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
                Goals.single(ENGINE, SINGLE),
                List.of("Each figure is the median of " + setting.size(samples, 5, 3) + " single ones with pauses of "
                        + REST.toMillis() + " ms."));
    }

    /** Returns the median in milliseconds. */
    private double median(Setting setting, Setting.Stretch work) throws Exception {
        List<Double> taken = new ArrayList<>();
        for (int i = 0; i < setting.size(samples, 5, 3); i++) {
            setting.time().pause(REST);
            taken.add(MILLIS * setting.seconds(work));
        }
        return Spread.of(taken).median();
    }
}
