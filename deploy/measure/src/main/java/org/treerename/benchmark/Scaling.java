package org.treerename.benchmark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.treerename.benchmark.Rounds.Side;
import picocli.CommandLine.Option;

/**
 * Measures how fast several workers rename files. Also measures how the size of the index affects the speed of renames.
 */
final class Scaling implements Benchmark {

    private static final String FILES = "renames/s";
    private static final String DOCUMENTS = "documents/s";
    private static final String SHARED = "Renames of files by several workers";
    private static final int TOPS = 64;
    private static final int FILES_EACH = 32;
    /** The largest concurrency of a worker. */
    private static final int MOST_IN_PROGRESS = 1_000;

    private static final int TINY = 300;

    @Option(
            names = "--workers",
            defaultValue = "1,2,4",
            split = ",",
            paramLabel = "N",
            description = "workers: the numbers of workers, at most " + Stage.PARTITIONS
                    + ", separated by commas (default: ${DEFAULT-VALUE}).")
    private List<Integer> workers = List.of(1, 2, 4);

    @Option(
            names = "--worker-seconds",
            defaultValue = "5",
            paramLabel = "N",
            description =
                    "workers: the number of seconds for which requests to rename files are sent in a round (default:"
                            + " ${DEFAULT-VALUE}).")
    private int seconds = 5;

    @Option(
            names = "--worker-warm-up",
            defaultValue = "120",
            paramLabel = "N",
            description = "workers: the number of seconds for which all workers process renames before the"
                    + " measurement (default: ${DEFAULT-VALUE}). In this time, the JVMs of the workers compile the"
                    + " code.")
    private int warmUpSeconds = 120;

    @Option(
            names = "--worker-clients",
            defaultValue = "256",
            paramLabel = "N",
            description = "workers: the number of concurrent renames of files (default: ${DEFAULT-VALUE}).")
    private int clients = 256;

    @Option(
            names = "--around",
            defaultValue = "10000,100000,1000000",
            split = ",",
            paramLabel = "N",
            description = "workers: the numbers of documents in each index in addition to the renamed documents,"
                    + " separated by commas (default: ${DEFAULT-VALUE}). The benchmark takes a long time with"
                    + " 10000000 documents.")
    private List<Integer> around = List.of(10_000, 100_000, 1_000_000);

    @Option(
            names = "--renamed",
            defaultValue = "10000",
            paramLabel = "N",
            description = "workers: the number of documents of the renamed directory in each index (default:"
                    + " ${DEFAULT-VALUE}).")
    private int renamed = 10_000;

    @Override
    public String name() {
        return "workers";
    }

    @Override
    public String compares() {
        return "The benchmark measures how many files per second different numbers of saturated workers rename. It"
                + " also measures how fast files and a directory are renamed in indices of different sizes.";
    }

    /** One index. Its files and one of its directories are renamed back and forth. */
    private static final class Grove {

        private final Tree tree;
        private final FilePool files;
        private final int documents;
        private String at = "/tree/here";
        private String other = "/tree/there";

        private Grove(Setting setting, String name, int documents, int around) {
            this.documents = documents;
            Es es = setting.stage().es();
            setting.progress().report("creating " + name);
            tree = Tree.create(setting.stage(), name, 1);
            tree.directories("/tree").fill(at, documents).fill("/around", around);
            files = FilePool.create(es, tree, setting.size(TOPS, 4), setting.size(FILES_EACH, 8));
        }

        /** Renames files. Returns the number of renames per second. */
        double rename(Setting setting, Engine engine, Clients clients) throws Exception {
            double perSecond =
                    clients.work(setting.time(), files.askedOf(engine)).perSecond();
            files.requireInPlace();
            return perSecond;
        }

        /** Renames the directory. Returns the number of moved documents per second. */
        double move(Setting setting, Engine engine) throws Exception {
            double taken = setting.seconds(() -> {
                long moved = engine.rename(tree.name(), at, other);
                if (moved != documents) {
                    throw new IllegalStateException("expected " + documents + " documents to move, found " + moved);
                }
            });
            String left = at;
            at = other;
            other = left;
            return documents / taken;
        }
    }

    @Override
    public List<Comparison> run(Setting setting) throws Exception {
        List<Comparison> comparisons = new ArrayList<>();
        String concurrency = "--concurrency=" + Math.min(setting.size(clients, 8), MOST_IN_PROGRESS);
        try (Fleet fleet = new Fleet(setting, concurrency);
                Engine engine = new Engine(setting.stage())) {
            comparisons.addAll(shared(setting, fleet, engine));
            fleet.resize(1);
            comparisons.addAll(surrounded(setting, engine));
        }
        return comparisons;
    }

    /**
     * Measures the largest number of workers first, and then smaller numbers. So all workers start before the warm-up,
     * and no figure contains the start of a worker.
     */
    private List<Comparison> shared(Setting setting, Fleet fleet, Engine engine) throws Exception {
        Grove grove = new Grove(setting, "shared-out", 1, 0);
        List<Integer> counts = (setting.tiny() ? List.of(1, 2) : workers)
                .stream().sorted(Comparator.reverseOrder()).toList();
        Costs costs = Costs.ofRenames(setting.stage().processorTime());
        fleet.resize(counts.getFirst());
        grove.rename(setting, engine, warmUp(setting));
        List<Series> played = new ArrayList<>();
        for (int count : counts) {
            fleet.resize(count);
            Side side = costs.side(
                    workers(count),
                    Costs.ENGINE,
                    () -> {},
                    () -> clients(setting).work(setting.time(), grove.files.askedOf(engine)),
                    grove.files::requireInPlace);
            played.addAll(0, setting.rounds().play(List.of(side)));
        }
        List<String> names = counts.reversed().stream().map(Scaling::workers).toList();
        return List.of(
                new Comparison(
                        SHARED,
                        FILES,
                        Better.HIGHER,
                        Costs.figuresOf(names, played),
                        names.contains(workers(1))
                                ? Goals.workers(
                                        workers(1),
                                        names.stream()
                                                .filter(name -> !name.equals(workers(1)))
                                                .toList())
                                : List.of(),
                        List.of(
                                "There are " + grove.files.size() + " files in " + setting.size(TOPS, 4)
                                        + " top-level directories, " + setting.size(clients, 8)
                                        + " concurrent renames, and " + Stage.PARTITIONS
                                        + " partitions. Workers, Elasticsearch, Kafka and the measuring client share the"
                                        + " processors of one machine. So the comparison shows only whether workers"
                                        + " slow down each other.",
                                "All workers start and warm up together. The benchmark measures the variant with the"
                                        + " most workers first. Before each further variant, the benchmark stops the"
                                        + " workers that this variant does not need.")),
                costs.comparison(SHARED, names, played, List.of()));
    }

    private static String workers(int count) {
        return count + (count == 1 ? " worker" : " workers");
    }

    private List<Comparison> surrounded(Setting setting, Engine engine) throws Exception {
        int documents = setting.size(renamed, TINY);
        List<Side> files = new ArrayList<>();
        List<Side> directories = new ArrayList<>();
        for (int size : setting.documents(around, TINY)) {
            Grove grove = new Grove(setting, "around-" + size, documents, size);
            String name = String.format(Locale.ROOT, "%,d documents around", size);
            files.add(new Side(name, FILES, () -> grove.rename(setting, engine, clients(setting))));
            directories.add(new Side(name, DOCUMENTS, () -> grove.move(setting, engine)));
        }
        return List.of(
                new Comparison(
                        "Renames of files in indices of different sizes",
                        FILES,
                        Better.HIGHER,
                        setting.rounds().play(files),
                        List.of(),
                        List.of("There is one worker, with " + setting.size(clients, 8)
                                + " concurrent renames. Each index is merged after its creation, and not again.")),
                new Comparison(
                        "Rename of a directory in indices of different sizes",
                        DOCUMENTS,
                        Better.HIGHER,
                        setting.rounds().play(directories),
                        List.of(),
                        List.of(String.format(
                                Locale.ROOT,
                                "The directory has %,d documents. The time is measured from the request record to"
                                        + " the outcome record.",
                                documents))));
    }

    private Clients warmUp(Setting setting) {
        return new Clients(setting.size(clients, 8), setting.stretch(warmUpSeconds));
    }

    private Clients clients(Setting setting) {
        return new Clients(setting.size(clients, 8), setting.stretch(seconds));
    }
}
