package org.treerename.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.treerename.benchmark.Clients.Client;
import org.treerename.benchmark.Rounds.Side;
import org.treerename.benchmark.TreeDocuments.Kind;
import org.treerename.installation.Installation;
import org.treerename.namespace.Granularity;
import picocli.CommandLine.Option;

/**
 * Compares the three granularities of locks. Each granularity has a separate tree with the same documents. One worker
 * processes all renames.
 */
final class Granularities implements Benchmark {

    private static final String RENAMES = "renames/s";
    private static final String WRITES = "writes";
    private static final int TOPS = 16;
    private static final int FILES_EACH = 16;
    private static final int DIRECTORIES = 32;
    private static final int TINY = 10;

    @Option(
            names = "--granularity-clients",
            defaultValue = "1,16",
            split = ",",
            paramLabel = "N",
            description = "granularities: the numbers of concurrent renames, separated by commas (default:"
                    + " ${DEFAULT-VALUE}).")
    private List<Integer> clients = List.of(1, 16);

    @Option(
            names = "--granularity-documents",
            defaultValue = "100",
            paramLabel = "N",
            description = "granularities: the number of documents of a renamed directory (default: ${DEFAULT-VALUE}).")
    private int documents = 100;

    @Option(
            names = "--granularity-seconds",
            defaultValue = "4",
            paramLabel = "N",
            description = "granularities: the number of seconds for which each compared variant is measured in a"
                    + " round (default: ${DEFAULT-VALUE}).")
    private int seconds = 4;

    @Override
    public String name() {
        return "granularities";
    }

    @Override
    public String compares() {
        return "Files and directories are renamed in three namespaces with different granularities of locks: the"
                + " tree of the rename (tree), each document (document), or the whole namespace (global).";
    }

    /** The tree for one granularity. Its files and directories are renamed back and forth. */
    private static final class Grove {

        private static final String OTHER = "-renamed";

        private final Tree tree;
        private final FilePool files;
        private final int documents;
        private final Queue<String> directories = new ConcurrentLinkedQueue<>();

        Grove(Setting setting, Granularity granularity, int documents) {
            this.documents = documents;
            String name = "locked-by-" + granularity.stored();
            setting.progress().report("creating " + name);
            tree = Tree.create(setting.stage(), name, 1, Kind.USUAL, granularity);
            for (int i = 0; i < DIRECTORIES; i++) {
                String directory = "/directories-" + i % TOPS + "/directory-" + i;
                tree.directories(directory.substring(0, directory.lastIndexOf('/')))
                        .fill(directory, documents);
                directories.add(directory);
            }
            files = FilePool.create(setting.stage().es(), tree, TOPS, FILES_EACH);
        }

        Client renamingFiles(Engine engine) {
            return files.askedOf(engine);
        }

        Client renamingDirectories(Engine engine) {
            return over -> {
                String from = directories.remove();
                String to = from.endsWith(OTHER) ? from.substring(0, from.length() - OTHER.length()) : from + OTHER;
                long moved = engine.rename(tree.name(), from, to);
                if (moved != documents) {
                    throw new IllegalStateException("expected " + documents + " documents to move, found " + moved);
                }
                directories.add(to);
                return 1;
            };
        }

        void requireInPlace() {
            files.requireInPlace();
            directories.forEach(directory -> {
                long found = tree.count(directory);
                if (found != documents) {
                    throw new IllegalStateException(
                            "expected " + documents + " documents at " + directory + " or below, found " + found);
                }
            });
        }
    }

    @Override
    public List<Comparison> run(Setting setting) throws Exception {
        List<Comparison> comparisons = new ArrayList<>();
        int most = clients.stream().mapToInt(Integer::intValue).max().orElse(1);
        if (clients.stream().anyMatch(count -> count < 1) || most > DIRECTORIES) {
            throw new IllegalArgumentException(
                    "--granularity-clients must be 1 to " + DIRECTORIES + ", was " + clients);
        }
        Map<Granularity, Grove> groves = new LinkedHashMap<>();
        for (Granularity granularity : Granularity.values()) {
            groves.put(granularity, new Grove(setting, granularity, setting.size(documents, TINY)));
        }
        try (Service worker = setting.stage().worker("--concurrency=" + most);
                Engine engine = new Engine(setting.stage())) {
            setting.progress().report(worker.name() + " renames");
            for (int count : setting.tiny() ? List.of(2) : clients) {
                comparisons.addAll(compared(setting, groves, count, engine, true));
                comparisons.addAll(compared(setting, groves, count, engine, false));
            }
        }
        return comparisons;
    }

    /** Measures the renames per second, and the writes to the control index for each rename. */
    private List<Comparison> compared(
            Setting setting, Map<Granularity, Grove> groves, int count, Engine engine, boolean files) throws Exception {
        Clients crowd = new Clients(count, setting.stretch(seconds));
        Map<Granularity, List<Double>> writes = new LinkedHashMap<>();
        List<Side> sides = new ArrayList<>();
        groves.forEach((granularity, grove) -> {
            List<Double> ofGranularity = new ArrayList<>();
            writes.put(granularity, ofGranularity);
            Client client = files ? grove.renamingFiles(engine) : grove.renamingDirectories(engine);
            sides.add(new Side(granularity.stored(), RENAMES, () -> {
                grove.tree.settle();
                long before = controlWrites(setting.stage().es());
                Throughput done = crowd.work(setting.time(), client);
                ofGranularity.add((double) (controlWrites(setting.stage().es()) - before) / done.renames());
                grove.requireInPlace();
                return done.perSecond();
            }));
        });
        List<Series> played = setting.rounds().play(sides);
        String what = files ? "files" : "directories of " + setting.size(documents, TINY) + " documents";
        return List.of(
                new Comparison(
                        "Renames of " + what + " by granularity, " + count + " at a time",
                        RENAMES,
                        Better.HIGHER,
                        played,
                        files ? Goals.global(count, Granularity.GLOBAL.stored()) : List.of(),
                        List.of("Each rename stays within one directory. The directories are in " + TOPS
                                + " top-level directories.")),
                new Comparison(
                        "Writes to the control index for each rename of " + what + ", " + count + " at a time",
                        WRITES,
                        Better.LOWER,
                        IntStream.range(0, played.size())
                                .mapToObj(i -> counted(
                                        played.get(i),
                                        List.copyOf(writes.values()).get(i)))
                                .toList(),
                        List.of(),
                        List.of("The figures count the writes of journal entries, and the updates of lock tables that"
                                + " acquire or release locks. If several renames share an update of a lock table,"
                                + " this update is counted once.")));
    }

    private static Series counted(Series played, List<Double> writes) {
        int warmUps = played.warmUps().size();
        return new Series(played.side(), writes.subList(0, warmUps), writes.subList(warmUps, writes.size()));
    }

    private static long controlWrites(Es es) {
        var indexing = es.get(Installation.DEFAULT.controlIndex() + "/_stats/indexing")
                .json()
                .path("_all")
                .path("primaries")
                .path("indexing");
        return indexing.path("index_total").asLong()
                + indexing.path("delete_total").asLong();
    }
}
