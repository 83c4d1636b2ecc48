package org.treerename.benchmark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.treerename.benchmark.Rounds.Side;
import org.treerename.benchmark.ScanAndBulk.Point;
import picocli.CommandLine.Option;

/**
 * One directory renamed back and forth. The engine is a worker process, and a rename lasts from the sending of its request
 * record to the arrival of its outcome record: so nothing is left out, its heap is its own, and it is what users have.
 */
final class DirectoryRename implements Benchmark {

    private static final String ENGINE = "tree rename";
    private static final String QUERY = "update by query, slices=1";
    private static final String LIMIT = "scan and bulk";
    private static final String REFRESHED = ", and a refresh";
    private static final double TIMES_QUERY = 1.25;
    private static final double OF_LIMIT = 0.9;
    private static final double OF_SMALLER = 0.9;
    private static final int USUAL = 100_000;
    private static final int TINY = 300;

    /** How often the engine renames before anything is played: a worker's compilers have seen enough after some 800,000 documents. */
    private static final int WARM_UPS = 8;

    /** The best one of the grid where it was last looked for. */
    private static final Point BEST = new Point(10_000, 2, 2);

    @Option(
            names = "--documents",
            defaultValue = "" + USUAL,
            split = ",",
            paramLabel = "N",
            description =
                    "rename: how many documents the directory has; several with commas (default: ${DEFAULT-VALUE}).")
    private List<Integer> documents = List.of(USUAL);

    @Option(
            names = "--shards",
            defaultValue = "1",
            paramLabel = "N",
            description = "rename: of the tree's index (default: ${DEFAULT-VALUE}).")
    private int shards = 1;

    @Option(
            names = "--tune",
            description = "rename: look for the best scan and bulk on the whole grid first, in as many rounds.")
    private boolean tune;

    @Override
    public String name() {
        return "rename";
    }

    @Override
    public String compares() {
        return "A directory is renamed: this engine with everything on (lock set, journal, entry writes, proof by an empty"
                + " pass, request and outcome through Kafka), a bare _update_by_query, and a bare scan-and-bulk without"
                + " any guarantee (the limit).";
    }

    @Override
    public List<Comparison> run(Setting setting) throws Exception {
        List<Integer> sizes =
                setting.quick() ? List.of(TINY) : documents.stream().sorted().toList();
        List<Comparison> comparisons = new ArrayList<>();
        try (Service worker = setting.stage().worker();
                Engine engine = new Engine(setting.stage())) {
            List<Moving> trees = new ArrayList<>();
            for (int size : sizes) {
                trees.add(Moving.create(setting, size, shards));
            }
            Point point = tune ? best(setting, usual(trees).orElse(trees.getLast()), comparisons) : BEST;
            if (!setting.quick()) {
                warmUp(
                        sides(setting, usual(trees).orElse(trees.getLast()), engine, point)
                                .getFirst(),
                        setting);
            }
            Map<Moving, List<Side>> sides = new LinkedHashMap<>();
            trees.forEach(tree -> sides.put(tree, sides(setting, tree, engine, point)));
            List<Series> played = setting.rounds()
                    .play(sides.values().stream().flatMap(List::stream).toList());
            String heap = "The worker has -Xmx" + Service.HEAP + "; the most that its collector found in its heap was "
                    + worker.peakHeapMegabytes() + " MB.";
            for (Moving tree : trees) {
                comparisons.add(comparison(tree, played, point, heap));
            }
            bySize(trees, played).ifPresent(comparisons::add);
        }
        return comparisons;
    }

    private static void warmUp(Side engine, Setting setting) throws Exception {
        for (int i = 1; i <= WARM_UPS; i++) {
            String seconds = Figure.text(engine.play().once());
            setting.progress().tell("the worker warms up, %d of %d: %s s".formatted(i, WARM_UPS, seconds));
        }
    }

    private List<Side> sides(Setting setting, Moving tree, Engine engine, Point point) {
        List<Side> sides = new ArrayList<>();
        sides.add(tree.side(setting, ENGINE, (from, to) -> engine.rename(tree.name(), from, to)));
        queries()
                .forEach((name, slices) -> sides.add(tree.side(
                        setting,
                        name,
                        (from, to) -> UpdateByQuery.run(setting.stage().es(), tree.name(), from, to, slices))));
        Es es = setting.stage().es();
        sides.add(tree.side(setting, LIMIT, (from, to) -> new ScanAndBulk(es, tree.name(), point).run(from, to)));
        sides.add(tree.side(setting, QUERY + REFRESHED, (from, to) -> {
            long updated = UpdateByQuery.run(es, tree.name(), from, to, "1");
            es.post(tree.name() + "/_refresh", "").orThrow();
            return updated;
        }));
        sides.add(tree.side(setting, LIMIT + REFRESHED, (from, to) -> {
            long written = new ScanAndBulk(es, tree.name(), point).run(from, to);
            es.post(tree.name() + "/_refresh", "").orThrow();
            return written;
        }));
        return sides;
    }

    /** By the side's name, the slices: one, two, and what Elasticsearch chooses, which is the number of shards. */
    private Map<String, String> queries() {
        Map<String, String> slices = new LinkedHashMap<>();
        slices.put(QUERY + (shards == 1 ? " (auto)" : ""), "1");
        slices.put("update by query, slices=2" + (shards == 2 ? " (auto)" : ""), "2");
        if (shards > 2) {
            slices.put("update by query, slices=auto", "auto");
        }
        return slices;
    }

    private Comparison comparison(Moving tree, List<Series> played, Point point, String heap) {
        String[] queries = queries().keySet().toArray(String[]::new);
        List<Series> sides = played.stream()
                .filter(series -> tree.owns(series.side()))
                .map(series -> new Series(tree.plain(series.side()), series.warmUps(), series.rounds()))
                .toList();
        return new Comparison(
                "Rename of a directory with " + tree.counted() + " documents",
                "s",
                Better.LOWER,
                sides,
                List.of(
                        Goal.times(TIMES_QUERY, ENGINE, queries),
                        new Goal.Times(ENGINE, List.of(LIMIT), OF_LIMIT, List.of(Goal.times(1, LIMIT, queries)))),
                List.of(
                        "The same documents go back and forth, in an index with " + shards
                                + (shards == 1 ? " shard" : " shards")
                                + " and no replica. Before each side the index is flushed, merged into one segment and refreshed,"
                                + " so that no side pays for what another has deleted; after it, it is counted that every"
                                + " document has moved.",
                        "Scan and bulk goes with " + point
                                + "; it counts as the limit only where it is at least as fast"
                                + " as the update by query of this run. It shares no code with the engine's mover.",
                        "What the engine has renamed is searchable when its outcome comes; of the others this is so only of"
                                + " those with a refresh, and no goal is against them.",
                        heap));
    }

    /** How the engine's documents per second depend on the size, out of the same rounds. */
    private static Optional<Comparison> bySize(List<Moving> trees, List<Series> played) {
        if (trees.size() < 2) {
            return Optional.empty();
        }
        List<Series> sides = new ArrayList<>();
        for (Moving tree : trees) {
            Series seconds = played.stream()
                    .filter(series -> series.side().equals(tree.side(ENGINE)))
                    .findFirst()
                    .orElseThrow();
            sides.add(new Series(
                    tree.counted() + " documents",
                    tree.perSecond(seconds.warmUps()),
                    tree.perSecond(seconds.rounds())));
        }
        Moving usual = usual(trees).orElse(trees.getFirst());
        List<Goal> goals = trees.stream()
                .filter(tree -> tree.documents() > usual.documents())
                .map(tree -> Goal.times(OF_SMALLER, tree.counted() + " documents", usual.counted() + " documents"))
                .toList();
        return Optional.of(new Comparison(
                "Documents per second of this engine by size", "documents/s", Better.HIGHER, sides, goals, List.of()));
    }

    /** The one that others are measured by; the trees stand by size. */
    private static Optional<Moving> usual(List<Moving> trees) {
        return trees.stream().filter(tree -> tree.documents() >= USUAL).findFirst();
    }

    private static Point best(Setting setting, Moving tree, List<Comparison> comparisons) throws Exception {
        Map<String, Point> points = new LinkedHashMap<>();
        List<Side> sides = new ArrayList<>();
        for (Point point : Point.grid()) {
            Side side = tree.side(
                    setting,
                    point.toString(),
                    (from, to) -> new ScanAndBulk(setting.stage().es(), tree.name(), point).run(from, to));
            points.put(side.name(), point);
            sides.add(side);
        }
        List<Series> played = setting.rounds().play(sides);
        comparisons.add(new Comparison(
                String.format(Locale.ROOT, "The grid of scan and bulk, %s documents", tree.counted()),
                "s",
                Better.LOWER,
                played.stream()
                        .map(series -> new Series(tree.plain(series.side()), series.warmUps(), series.rounds()))
                        .toList(),
                List.of(),
                List.of("The best point is the limit below.")));
        String best = played.stream()
                .min(Comparator.comparing(series -> series.spread().median()))
                .orElseThrow()
                .side();
        return Objects.requireNonNull(points.get(best));
    }
}
