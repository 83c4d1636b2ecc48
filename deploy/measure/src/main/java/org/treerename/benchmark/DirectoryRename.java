package org.treerename.benchmark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.treerename.benchmark.Moving.Move;
import org.treerename.benchmark.Rounds.Measure;
import org.treerename.benchmark.Rounds.Side;
import org.treerename.benchmark.ScanAndBulk.Point;
import org.treerename.benchmark.TreeDocuments.Kind;
import org.treerename.request.Outcome;
import picocli.CommandLine.Option;

/**
 * Measures renames of one directory back and forth. Tree rename runs as a worker process. A rename by tree rename is
 * measured from the sending of the request record to the arrival of the outcome record. So the figure contains every
 * part of a rename. The heap of the worker contains no data of the benchmark. A peer is a compared way to rename that
 * does not use tree rename. A rename by a peer ends with a refresh, which makes the changes searchable. A rename by
 * tree rename also ends with a refresh. The report contains the figures of the peers with and without the refresh.
 */
final class DirectoryRename implements Benchmark {

    private static final String SECONDS = "s";
    private static final String ENGINE = "tree rename";
    private static final String DECIDED = "tree rename, until it is decided";
    private static final String QUERY = "update by query, slices=";
    private static final String SCAN = "scan and bulk, slices=";
    private static final int USUAL = 100_000;
    private static final int LARGE = 1_000_000;
    private static final int TINY = 300;

    /**
     * The number of renames by tree rename before the first round. These renames move about 800,000 documents. After
     * these moves, the JVM has compiled the code of the worker.
     */
    private static final int WARM_UPS = 8;

    /** The best point that a search with {@code --tune} has found: page size, slices and bulk requests. */
    private static final Point BEST = new Point(10_000, 2, 2);

    @Option(
            names = "--documents",
            defaultValue = "10000," + USUAL + "," + LARGE,
            split = ",",
            paramLabel = "N",
            description =
                    "rename: the numbers of documents of the directory, separated by commas (default: ${DEFAULT-VALUE}).")
    private List<Integer> documents = List.of(10_000, USUAL, LARGE);

    @Option(
            names = "--small-documents",
            defaultValue = "10000," + USUAL,
            split = ",",
            paramLabel = "N",
            description = "rename: the numbers of documents of another directory, separated by commas (default:"
                    + " ${DEFAULT-VALUE}). Each document has about 100 bytes. 0 means no"
                    + " directory with small documents.")
    private List<Integer> smallDocuments = List.of(10_000, USUAL);

    @Option(
            names = "--slices",
            defaultValue = "1,2,4",
            split = ",",
            paramLabel = "N",
            description = "rename: the numbers of slices that the alternatives use, separated by commas (default:"
                    + " ${DEFAULT-VALUE}).")
    private List<Integer> slices = List.of(1, 2, 4);

    @Option(
            names = "--shards",
            defaultValue = "1",
            paramLabel = "N",
            description = "rename: the number of shards of the tree's index (default: ${DEFAULT-VALUE}).")
    private int shards = 1;

    @Option(
            names = "--tune",
            description =
                    "rename: first measure all combinations of page size, slices and bulk requests for the alternative"
                            + " \"scan and bulk\", in as many rounds as the benchmark. The benchmark then uses the"
                            + " fastest combination.")
    private boolean tune;

    @Override
    public String name() {
        return "rename";
    }

    @Override
    public String compares() {
        return "A directory is renamed in three ways: by tree rename, by _update_by_query alone, and by a scan with"
                + " bulk requests. Tree rename gives all its guarantees: it acquires locks, writes a journal, ends"
                + " with a pass that finds no document, and uses Kafka for the request and the outcome. The scan"
                + " with bulk requests gives no guarantee, and shows the limit of Elasticsearch. Both alternatives"
                + " end with a refresh, so that searches find their changes.";
    }

    @Override
    public List<Comparison> run(Setting setting) throws Exception {
        List<Moving.Key> keys = new ArrayList<>();
        setting.documents(documents, TINY).forEach(size -> keys.add(new Moving.Key(size, Kind.USUAL, shards)));
        setting.documents(smallDocuments, TINY).stream()
                .filter(size -> size > 0)
                .forEach(size -> keys.add(new Moving.Key(size, Kind.SMALL, shards)));
        // smaller directories are measured first, because they show the best number of slices for each peer; the peers
        // rename a large directory only with this number, because each measurement takes more than a minute
        keys.sort(Comparator.comparing(Moving.Key::documents).thenComparing(Moving.Key::kind));
        List<Comparison> comparisons = new ArrayList<>();
        try (Service worker = setting.stage().worker();
                Engine engine = new Engine(setting.stage())) {
            Moving usual = setting.directories().of(usual(keys));
            Point point = tune ? best(setting, usual, comparisons) : BEST;
            warmUp(setting, engineSide(setting, usual, engine, List.of()));
            Map<Kind, Comparison> smaller = new LinkedHashMap<>();
            for (Moving.Key key : keys) {
                boolean large = key.documents() >= LARGE;
                List<Integer> queries = slices;
                List<Integer> scans = slices;
                Comparison known = smaller.get(key.kind());
                if (large && known != null) {
                    queries = List.of(bestSlices(known, QUERY));
                    scans = List.of(bestSlices(known, SCAN));
                }
                List<Comparison> found = compare(setting, new Contest(key, engine, queries, scans, point), worker);
                comparisons.addAll(found);
                smaller.put(key.kind(), found.getFirst());
            }
        }
        return comparisons;
    }

    /**
     * Returns the directory with which the worker warms up: the largest directory with at most 100,000 documents. If
     * every directory is larger, returns the smallest directory.
     */
    private static Moving.Key usual(List<Moving.Key> keys) {
        return keys.stream()
                .filter(key -> key.documents() <= USUAL)
                .max(Comparator.comparing(Moving.Key::documents))
                .orElse(keys.getFirst());
    }

    private static void warmUp(Setting setting, Side engine) throws Exception {
        int times = setting.size(WARM_UPS, 2, 0);
        for (int i = 1; i <= times; i++) {
            String seconds = Figure.text(engine.plays().once().getFirst());
            setting.progress().report("rename %d of %d to warm up the worker: %s s".formatted(i, times, seconds));
        }
    }

    /** One directory, tree rename, and the settings of the peers that rename this directory. */
    private record Contest(Moving.Key key, Engine engine, List<Integer> queries, List<Integer> scans, Point point) {

        List<String> refreshedQueries() {
            return queries.stream()
                    .map(count -> query(count, key.shards()) + Moving.REFRESHED)
                    .toList();
        }

        List<String> refreshedScans() {
            return scans.stream().map(count -> SCAN + count + Moving.REFRESHED).toList();
        }
    }

    /**
     * Returns the name of the side with this number of slices. With {@code slices=auto}, Elasticsearch uses one slice
     * for each shard. In this case, the name contains "(auto)".
     */
    private static String query(int slices, int shards) {
        return QUERY + slices + (slices == shards ? " (auto)" : "");
    }

    /** Returns the number of slices with which a peer had the shortest median time. The times include the refresh. */
    static int bestSlices(Comparison comparison, String peer) {
        return comparison.sides().stream()
                .filter(series ->
                        series.side().startsWith(peer) && series.side().endsWith(Moving.REFRESHED))
                .min(Comparator.comparing(series -> series.spread().median()))
                .map(series ->
                        Integer.parseInt(series.side().substring(peer.length()).replaceFirst("\\D.*", "")))
                .orElseThrow();
    }

    /** @param roles the roles whose processor time is measured */
    private static Side engineSide(Setting setting, Moving directory, Engine engine, List<Role> roles) {
        return directory.side(
                setting,
                Costs.measures(List.of(new Measure(ENGINE, SECONDS), new Measure(DECIDED, SECONDS)), roles),
                costs(setting).measured(roles, (from, to) -> {
                    Outcome outcome = engine.ask(directory.name(), from, to);
                    return new Move(outcome.moved(), List.of(Engine.decidedMillis(outcome) / 1_000));
                }));
    }

    private static Costs costs(Setting setting) {
        return new Costs(setting.stage().processorTime());
    }

    private List<Comparison> compare(Setting setting, Contest contest, Service worker) throws Exception {
        Moving directory = setting.directories().of(contest.key());
        Es es = setting.stage().es();
        Costs costs = costs(setting);
        List<Side> sides = new ArrayList<>();
        sides.add(engineSide(setting, directory, contest.engine(), Costs.ENGINE));
        for (int count : contest.queries()) {
            sides.add(costs.refreshedSide(
                    setting,
                    directory,
                    query(count, shards),
                    (from, to) -> UpdateByQuery.run(es, directory.name(), from, to, String.valueOf(count))));
        }
        for (int count : contest.scans()) {
            ScanAndBulk scan =
                    new ScanAndBulk(es, directory.name(), contest.point().withSlices(count));
            sides.add(costs.refreshedSide(setting, directory, SCAN + count, scan::run));
        }
        boolean large = contest.key().documents() >= LARGE;
        Rounds rounds = large ? setting.rounds().halved() : setting.rounds();
        List<Series> played = rounds.play(sides);
        List<String> timed = sides.stream()
                .flatMap(side -> side.measures().stream())
                .filter(measure -> measure.unit().equals(SECONDS))
                .map(Measure::name)
                .toList();
        String title = "Rename of a directory with " + contest.key().counted() + " documents "
                + contest.key().kind().words();
        return List.of(
                new Comparison(
                        title,
                        SECONDS,
                        Better.LOWER,
                        Costs.figuresOf(timed, played),
                        Goals.directory(
                                contest.key().documents(),
                                ENGINE,
                                contest.refreshedQueries(),
                                contest.refreshedScans()),
                        notes(contest, worker, large)),
                costs.comparison(title, timed, played, List.of()));
    }

    private List<String> notes(Contest contest, Service worker, boolean large) {
        List<String> notes = new ArrayList<>(List.of(
                "The same documents are moved from one directory to another and back, in an index with " + shards
                        + (shards == 1 ? " shard" : " shards")
                        + " and no replica. Before each measurement, the index is flushed, merged into one segment,"
                        + " refreshed and written to the disk. So no variant does work that another variant has left."
                        + " After each measurement, a count checks that every document has moved.",
                "For each alternative, the figures with and without the refresh are from the same measurement. The"
                        + " alternative \"scan and bulk\" uses "
                        + contest.point().inEachSlice()
                        + ". This alternative shares no code with the mover of tree rename.",
                "When the outcome of tree rename arrives, searches find the renamed documents. The time until the"
                        + " rename is decided is measured from the time stamp of the request in Kafka to committed_at"
                        + " in the outcome.",
                "The worker runs with -Xmx" + Service.HEAP
                        + "; the largest used heap in the log of its garbage collector so far was "
                        + worker.peakHeapMegabytes() + " MB."));
        if (large) {
            notes.add("Each alternative is measured only with the number of slices that was the best with fewer"
                    + " documents.");
        }
        return notes;
    }

    private static Point best(Setting setting, Moving directory, List<Comparison> comparisons) throws Exception {
        Map<String, Point> points = new LinkedHashMap<>();
        List<Side> sides = new ArrayList<>();
        for (Point point : Point.grid()) {
            ScanAndBulk scan = new ScanAndBulk(setting.stage().es(), directory.name(), point);
            points.put(point.toString(), point);
            sides.add(directory.side(setting, point.toString(), scan::run));
        }
        List<Series> played = setting.rounds().play(sides);
        comparisons.add(new Comparison(
                String.format(Locale.ROOT, "The grid of scan and bulk, %s", directory.name()),
                SECONDS,
                Better.LOWER,
                played,
                List.of(),
                List.of("For scan and bulk, the tables below use the best page size and the best number of bulks of"
                        + " this table.")));
        String best = played.stream()
                .min(Comparator.comparing(series -> series.spread().median()))
                .orElseThrow()
                .side();
        return Objects.requireNonNull(points.get(best));
    }
}
