package org.treerename.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.treerename.benchmark.ContendedLoad.Step;
import org.treerename.benchmark.HandOver.Done;
import org.treerename.benchmark.Rounds.Side;
import picocli.CommandLine.Option;

/**
 * Measures renames that conflict with each other. The requests have no keys, so only the locks determine the order of
 * conflicting renames.
 */
final class Contended implements Benchmark {

    private static final String ENDED = "requests ended";
    private static final String COMPLETED = "renames completed";
    private static final String UNDER_LOAD =
            "under the load, from the end of a rename to the commit of the next rename, median";
    private static final String NAMESPACE = "contended";
    private static final long SEED = 4_711;

    @Option(
            names = "--contended-under-way",
            defaultValue = "256",
            paramLabel = "N",
            description = "contended: the number of concurrent requests (default: ${DEFAULT-VALUE}).")
    private int underWay = 256;

    @Option(
            names = "--contended-seconds",
            defaultValue = "20",
            paramLabel = "N",
            description = "contended: the number of seconds for which requests are sent in a round (default:"
                    + " ${DEFAULT-VALUE}). The round ends at the last outcome.")
    private int seconds = 20;

    @Option(
            names = "--contended-workers",
            defaultValue = "3",
            paramLabel = "N",
            description = "contended: the number of workers (default: ${DEFAULT-VALUE}).")
    private int workers = 3;

    @Option(
            names = "--contended-warm-up",
            defaultValue = "15",
            paramLabel = "N",
            description = "contended: the number of seconds for which the workers rename files without conflicts"
                    + " before the measurement (default: ${DEFAULT-VALUE}).")
    private int warmUp = 15;

    @Option(
            names = "--hand-overs",
            defaultValue = "10",
            paramLabel = "N",
            description = "contended: the number of hand-overs that a round measures on the idle system (default:"
                    + " ${DEFAULT-VALUE}). The round reports the median.")
    private int handOvers = 10;

    @Override
    public String name() {
        return "contended";
    }

    @Override
    public String compares() {
        return "The benchmark renames random directories and files. There are " + ContendedLoad.DIRECTORIES
                + " directories with files, below " + ContendedLoad.TOPS
                + " top-level directories. A Kafka client sends the requests without keys, so they spread over the"
                + " partitions and wait for the locks of other requests. Several workers process the requests. The number of"
                + " requests in progress is constant.";
    }

    /** The objects that all rounds use. */
    private record Ground(Setting setting, Tree tree, RawClient client, ContendedLoad load) {}

    /**
     * The results of the load, except the requests per second. Each list contains one figure for each round. The map
     * counts the outcomes of all rounds.
     */
    private record Shown(List<Double> completed, List<Double> gaps, Map<String, Long> endings) {}

    @Override
    public List<Comparison> run(Setting setting) throws Exception {
        Tree tree = Tree.create(setting.stage(), NAMESPACE, 1);
        for (int top = 0; top < ContendedLoad.TOPS; top++) {
            tree.directories("/hot-" + top);
        }
        for (int i = 0; i < ContendedLoad.DIRECTORIES; i++) {
            String directory = ContendedLoad.directoryAtFirst(i);
            tree.directories(directory);
            for (int file = 0; file < ContendedLoad.FILES; file++) {
                tree.files(directory + "/file-" + file);
            }
        }
        IdleHandOver.plant(tree);
        FilePool files = FilePool.create(setting.stage().es(), tree, setting.size(64, 4), 16);
        try (Fleet fleet = new Fleet(setting, "--concurrency=" + setting.size(underWay, 8));
                Engine engine = new Engine(setting.stage());
                RawClient client = new RawClient(setting.stage())) {
            fleet.resize(setting.size(workers, 2));
            new Clients(setting.size(underWay, 8), setting.stretch(warmUp)).work(setting.time(), files.askedOf(engine));
            Ground ground = new Ground(setting, tree, client, new ContendedLoad(SEED));
            List<Comparison> comparisons = new ArrayList<>(load(ground));
            comparisons.add(new IdleHandOver(setting, client, NAMESPACE, handOvers).compare());
            return comparisons;
        }
    }

    private List<Comparison> load(Ground ground) throws Exception {
        Setting setting = ground.setting();
        Shown shown = new Shown(new ArrayList<>(), new ArrayList<>(), new TreeMap<>());
        Costs costs = new Costs(setting.stage().processorTime());
        Side side = costs.side(
                ENDED,
                Costs.ENGINE,
                ground.tree()::settle,
                () -> play(ground, shown),
                () -> requireWhole(ground.tree()));
        List<Series> played = setting.rounds().halved().play(List.of(side));
        List<Series> figures = new ArrayList<>(Costs.figuresOf(List.of(ENDED), played));
        figures.add(new Series(COMPLETED, List.of(), shown.completed()));
        String title = "A contended load, " + setting.size(workers, 2) + " workers, " + setting.size(underWay, 8)
                + " requests under way";
        String endings = shown.endings().entrySet().stream()
                .map(ending -> ending.getValue() + " " + ending.getKey())
                .collect(Collectors.joining(", "));
        List<Comparison> comparisons = new ArrayList<>(List.of(
                new Comparison(
                        title,
                        "a second",
                        Better.HIGHER,
                        figures,
                        Goals.contended(ENDED),
                        List.of(
                                "Each request got exactly one outcome. At the end, each directory and each file"
                                        + " existed once. The outcomes of all rounds: " + endings + ".",
                                "A request is rejected if another request has moved its source meanwhile. A rejected"
                                        + " request counts as ended. Each measurement sends requests for "
                                        + setting.stretch(seconds).toMillis()
                                        + " ms, and ends at the last outcome.")),
                costs.comparison(
                        title, List.of(ENDED), played, Goals.contendedCost(Costs.name(ENDED, Role.ELASTICSEARCH)))));
        if (!shown.gaps().isEmpty()) {
            comparisons.add(new Comparison(
                    "Hand-over of a lock under the contended load",
                    "ms",
                    Better.LOWER,
                    List.of(new Series(UNDER_LOAD, List.of(), shown.gaps())),
                    List.of(),
                    List.of("Each figure is the median time from the end of a rename to the commit of the next"
                            + " rename in the same directory. At least one of the two renames moved the"
                            + " directory itself. The later rename was requested before the end of the"
                            + " earlier rename. The time includes the release of the locks, the hand-over,"
                            + " and the check of the later rename with its refresh.")));
        }
        return comparisons;
    }

    /**
     * Sends requests for the time of one measurement, waits for all outcomes, and adds the results to {@code shown}.
     */
    private Throughput play(Ground ground, Shown shown) throws Exception {
        Queue<Done> done = new ConcurrentLinkedQueue<>();
        Queue<RawOutcome> ended = new ConcurrentLinkedQueue<>();
        Setting setting = ground.setting();
        Throughput throughput = new Clients(setting.size(underWay, 8), setting.stretch(seconds))
                .work(setting.time(), over -> {
                    Step step = ground.load().next();
                    RawOutcome outcome = ground.client()
                            .ask(
                                    NAMESPACE,
                                    step.source(),
                                    step.destination(),
                                    ground.load().partition());
                    ended.add(outcome);
                    if (outcome.isCompleted()) {
                        ground.load().completed(step);
                        done.add(new Done(
                                step,
                                outcome.requestedAt(),
                                Objects.requireNonNull(outcome.committedAt()),
                                outcome.finishedAt()));
                    }
                    return 1;
                });
        ground.client().requireOneEach(setting);
        ended.forEach(outcome -> shown.endings().merge(outcome.ending(), 1L, Long::sum));
        shown.completed().add(done.size() / throughput.seconds());
        List<Double> gaps = HandOver.gaps(List.copyOf(done));
        if (!gaps.isEmpty()) {
            shown.gaps().add(Spread.of(gaps).median());
        }
        return throughput;
    }

    /** Checks that each directory exists exactly once, with all its files. */
    private static void requireWhole(Tree tree) {
        tree.refresh();
        for (int i = 0; i < ContendedLoad.DIRECTORIES; i++) {
            int directory = i;
            List<Long> found = ContendedLoad.places(i).stream().map(tree::count).toList();
            if (found.stream().filter(count -> count > 0).count() != 1 || !found.contains(1L + ContendedLoad.FILES)) {
                throw new IllegalStateException("expected directory " + directory + " with " + ContendedLoad.FILES
                        + " files below one top-level directory, found these numbers of documents of the directory"
                        + " below the top-level directories: "
                        + found);
            }
        }
    }
}
