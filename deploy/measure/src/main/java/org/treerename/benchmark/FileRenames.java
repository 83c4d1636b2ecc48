package org.treerename.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * Measures renames of single files. Tree rename runs as a worker process. A rename is measured from the sending of the
 * request record to the arrival of the outcome record. Several clients run at the same time. A client sends its next
 * request when the outcome of its previous request has arrived.
 */
final class FileRenames implements Benchmark {

    /**
     * The number of files for each client. With two files for each client, no client renames the same file twice in
     * succession.
     */
    private static final int FILES = 2;

    private static final int LEAST_FILES = 2_048;
    private static final int MOST_UNDER_WAY = 10_000;
    private static final int MOST_DIRECTORIES = 1_000;

    /**
     * The largest number of clients of the guide. With many more clients, Elasticsearch would refuse searches, because
     * its queue for searches would be full.
     */
    private static final int MOST_GUIDE_CLIENTS = 512;

    /**
     * The number of concurrent renames in the hot directory. In this directory, the lock requests of the guide conflict
     * with each other.
     */
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
            description = "kafka: the numbers of clients of the guide's tree locking at saturation, separated by commas"
                    + " (default: ${DEFAULT-VALUE}). Each number must be at most " + MOST_GUIDE_CLIENTS
                    + ". The guide is the book Elasticsearch: The Definitive Guide. The goals use the number"
                    + " with the best figure.")
    private List<Integer> guideClients = List.of(64, 256, 512);

    @Option(
            names = "--file-seconds",
            defaultValue = "4",
            paramLabel = "N",
            description = "kafka: the number of seconds for which each compared variant is measured in a round"
                    + " (default: ${DEFAULT-VALUE}).")
    private int seconds = 4;

    @Option(
            names = "--file-warm-up",
            defaultValue = "40",
            paramLabel = "N",
            description = "kafka: the number of seconds for which files are renamed before the measurement (default:"
                    + " ${DEFAULT-VALUE}). In this time, the JVMs of the servers compile the code.")
    private int warmUp = 40;

    @Option(
            names = "--file-directories",
            defaultValue = "64",
            paramLabel = "N",
            description = "kafka: the number of top-level directories that contain the renamed files (default:"
                    + " ${DEFAULT-VALUE}).")
    private int tops = 64;

    @Option(
            names = "--file-samples",
            defaultValue = "30",
            paramLabel = "N",
            description = "kafka: the number of measured renames on the idle system in a round (default:"
                    + " ${DEFAULT-VALUE}). The round reports the median.")
    private int samples = 30;

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String compares() {
        return "Files are renamed in three ways. The first way is tree rename with all its guarantees, measured from the"
                + " request record in Kafka to the outcome record. The second way is the recipe of the book"
                + " Elasticsearch: The Definitive Guide, with one HTTP request for each step. The third way is updates"
                + " of single documents in bulk requests. These updates give no guarantee, and show the limit of"
                + " Elasticsearch.";
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
        try (Service worker = setting.stage().worker("--concurrency=" + Math.min(most, FileGround.MOST_IN_PROGRESS));
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
                Clients warm = new Clients(
                        Math.min(most, FileGround.MOST_IN_PROGRESS), Duration.ofSeconds(setting.size(warmUp, 5, 0)));
                warm.work(setting.time(), spread.askedOf(engine));
            }
            // the renames at saturation run first; after them, the JVMs have compiled the code of all sides
            FileComparisons compared = new FileComparisons(ground, spread);
            comparisons.addAll(compared.saturated(underWay, setting.tiny() ? List.of(2) : guideClients));
            comparisons.add(compared.hot(hot, setting.size(HOT, 8)));
            for (int count : setting.tiny() ? List.of(1) : clients) {
                comparisons.addAll(compared.atOnce(count));
            }
            comparisons.add(compared.single(setting.size(samples, 5, 3)));
        }
        return comparisons;
    }

    private static void requireWithin(String option, List<Integer> found, int most) {
        if (found.isEmpty() || found.stream().anyMatch(count -> count < 1 || count > most)) {
            throw new IllegalArgumentException(option + " must be 1 to " + most + ", was " + found);
        }
    }
}
