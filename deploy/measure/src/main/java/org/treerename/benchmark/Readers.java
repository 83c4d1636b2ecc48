package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.treerename.benchmark.Rounds.Measure;
import org.treerename.benchmark.Rounds.Side;
import org.treerename.benchmark.TreeDocuments.Kind;
import org.treerename.path.TreePath;
import org.treerename.producer.TreeReader;
import org.treerename.producer.reader.Reach;
import org.treerename.producer.reader.TreeView;
import org.treerename.request.Outcome;
import picocli.CommandLine.Option;

/** Measures the time until readers see a rename, and the time in which a reader reads one page. */
final class Readers implements Benchmark {

    private static final String OUTCOME = "tree rename, until its outcome";
    private static final String SEEN = "tree rename, until a view shows it";
    private static final String FROM_COMMIT = "tree rename, from its commit until a view shows it";
    private static final String QUERY = "update by query, slices=4";
    private static final String BULK = "one _bulk with refresh=true";
    private static final String PAGE_ALONE = "a page of a reader";
    private static final String VIEW = "the first page of a view";
    private static final String SEARCH = "the same search alone";
    private static final String EXTRA = "the additional time of the reader";
    private static final String PARENT = "/tree";
    private static final int TINY = 30;
    private static final int LARGE = 1_000_000;
    private static final int PAGE = 100;
    private static final int BULKS = 9;
    private static final int WARM_UPS = 6;

    @Option(
            names = "--reader-documents",
            defaultValue = "1000,100000,1000000",
            split = ",",
            paramLabel = "N",
            description = "readers: the numbers of documents of the renamed directories, separated by commas (default:"
                    + " ${DEFAULT-VALUE}).")
    private List<Integer> documents = List.of(1_000, 100_000, 1_000_000);

    @Option(
            names = "--reader-moving",
            defaultValue = "100000",
            paramLabel = "N",
            description = "readers: the number of documents that a rename moves during the comparison of a view with"
                    + " a search (default: ${DEFAULT-VALUE}).")
    private int moving = 100_000;

    @Option(
            names = "--reader-samples",
            defaultValue = "100",
            paramLabel = "N",
            description =
                    "readers: the number of measured pages in a round on the idle system (default: ${DEFAULT-VALUE})."
                            + " The round reports the median.")
    private int samples = 100;

    @Override
    public String name() {
        return "readers";
    }

    @Override
    public String compares() {
        return "The benchmark first compares the time until readers see the whole rename of a directory. For tree"
                + " rename, this is the time from the request until a view shows every document at its new path. The"
                + " alternative is an update by query with its refresh, after which searches find the changes. Then"
                + " the benchmark compares the time of a view with the time of the same search without a view.";
    }

    @Override
    public List<Comparison> run(Setting setting) throws Exception {
        List<Comparison> comparisons = new ArrayList<>();
        try (Service worker = setting.stage().worker();
                Engine engine = new Engine(setting.stage());
                TreeReader reader = TreeReader.connect(setting.stage().elasticsearchUrl())) {
            setting.progress().report(worker.name() + " renames");
            for (int size : setting.documents(documents, TINY)) {
                Moving directory = setting.directories().of(new Moving.Key(size, Kind.USUAL, 1));
                comparisons.add(visible(setting, directory, engine, reader));
            }
            Moving directory =
                    setting.directories().of(new Moving.Key(setting.size(moving, 10_000, TINY), Kind.USUAL, 1));
            comparisons.add(cost(setting, directory, null, reader));
            comparisons.add(cost(setting, directory, engine, reader));
        }
        return comparisons;
    }

    private Comparison visible(Setting setting, Moving directory, Engine engine, TreeReader reader) throws Exception {
        int warmUps = directory.key().documents() >= LARGE ? 0 : setting.size(WARM_UPS, 1, 0);
        for (int i = 0; i < warmUps; i++) {
            directory.move(engine); // the first renames of a new worker are slow
        }
        Rounds rounds = directory.key().documents() >= LARGE ? setting.rounds().halved() : setting.rounds();
        List<Side> sides = List.of(
                directory.side(
                        setting,
                        List.of(new Measure(OUTCOME, "s"), new Measure(SEEN, "s"), new Measure(FROM_COMMIT, "s")),
                        (from, to) -> seen(setting, directory, engine, reader, from, to)),
                directory.refreshedSide(
                        setting,
                        QUERY,
                        (from, to) -> UpdateByQuery.run(setting.stage().es(), directory.name(), from, to, "4")),
                new Side(
                        BULK,
                        "s",
                        () -> setting.median(setting.size(BULKS, 3, 2), () -> directory.refreshedBulk(setting))));
        return new Comparison(
                "Time until readers see the rename of a directory with "
                        + directory.key().counted() + " documents",
                "s",
                Better.LOWER,
                rounds.play(sides),
                Goals.visible(FROM_COMMIT, BULK),
                List.of("A reader repeatedly counts the documents at and below the destination, each time with a new"
                        + " view. Each count must be 0 or the number of all documents. The measurement ends"
                        + " at the first answer with all documents."));
    }

    private static Moving.Move seen(
            Setting setting, Moving directory, Engine engine, TreeReader reader, String from, String to)
            throws Exception {
        try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            Instant begun = setting.time().now();
            Future<Outcome> renaming = thread.submit(() -> engine.ask(directory.name(), from, to));
            long found = 0;
            boolean hasEnded = false;
            while (found == 0 && !hasEnded) {
                hasEnded = renaming.isDone();
                found = reader.count(directory.name(), to, null);
            }
            Instant seen = setting.time().now();
            if (found != directory.key().documents()) {
                throw new IllegalStateException("expected " + directory.key().documents() + " documents at and below "
                        + to + " in a view, found " + found);
            }
            Outcome outcome = renaming.get();
            return new Moving.Move(
                    outcome.moved(),
                    List.of(seconds(begun, seen), seconds(Objects.requireNonNull(outcome.committedAt()), seen)));
        }
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1e9;
    }

    /**
     * Measures the time of one page of a reader, of the first page of a view, and of a search. Compares the first two
     * times with the time of the search.
     *
     * @param engine renames the directory during the measurement; null for an idle system
     */
    private Comparison cost(Setting setting, Moving directory, @Nullable Engine engine, TreeReader reader)
            throws Exception {
        Side side = new Side(
                List.of(
                        new Measure(PAGE_ALONE, "ms"),
                        new Measure(VIEW, "ms"),
                        new Measure(SEARCH, "ms"),
                        new Measure(EXTRA, "ms")),
                () -> engine == null
                        ? pages(setting, directory, reader, () -> true, setting.size(samples, 10, 3))
                        : during(setting, directory, engine, reader));
        directory.tree().settle();
        return new Comparison(
                "A page of " + PAGE + " documents "
                        + (engine == null
                                ? "of a directory with " + directory.key().counted() + " documents, on the idle system"
                                : "while the directory with " + directory.key().counted() + " documents is renamed"),
                "ms",
                Better.LOWER,
                setting.rounds().play(List.of(side)),
                Goals.view(EXTRA),
                List.of("A reader requests the first documents at and below a path (TreeReader.find). Then a search"
                        + " without a reader requests the same documents, in the same order. Then a view is"
                        + " opened, its first page is read, and the view is closed. Each figure is the"
                        + " median of the pages of a round. The figure of the additional time is the median"
                        + " of the differences."));
    }

    private List<Double> during(Setting setting, Moving directory, Engine engine, TreeReader reader) throws Exception {
        try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Outcome> renaming = thread.submit(() -> directory.move(engine));
            List<Double> figures = pages(setting, directory, reader, () -> !renaming.isDone(), Integer.MAX_VALUE);
            renaming.get();
            return figures;
        }
    }

    /**
     * Measures at least one page. Continues until {@code most} pages are measured, or until {@code condition} returns
     * false.
     */
    private static List<Double> pages(
            Setting setting, Moving directory, TreeReader reader, Callable<Boolean> condition, int most)
            throws Exception {
        List<Double> alone = new ArrayList<>();
        List<Double> views = new ArrayList<>();
        List<Double> searches = new ArrayList<>();
        List<Double> differences = new ArrayList<>();
        do {
            double page = 1_000 * setting.seconds(() -> page(directory, reader));
            double search = 1_000 * setting.seconds(() -> search(setting, directory));
            alone.add(page);
            views.add(1_000 * setting.seconds(() -> firstPage(directory, reader)));
            searches.add(search);
            differences.add(page - search);
        } while (views.size() < most && condition.call());
        return List.of(
                Spread.of(alone).median(),
                Spread.of(views).median(),
                Spread.of(searches).median(),
                Spread.of(differences).median());
    }

    private static void page(Moving directory, TreeReader reader) {
        requirePage(reader.find(directory.name(), PARENT, null, PAGE).size(), directory);
    }

    private static void firstPage(Moving directory, TreeReader reader) {
        try (TreeView view = reader.open(directory.name(), PARENT)) {
            TreePath at = reader.path(directory.name(), PARENT);
            requirePage(
                    view.find(at, Reach.AT_OR_BELOW, null, null, PAGE).items().size(), directory);
        }
    }

    private static void search(Setting setting, Moving directory) {
        JsonNode answer = setting.stage()
                .es()
                .post(
                        directory.name() + "/_search?allow_partial_search_results=false",
                        "{\"size\":%d,\"track_total_hits\":false,\"sort\":[\"path\",\"_doc\"],\"query\":%s}"
                                .formatted(PAGE, Tree.at(PARENT)))
                .json();
        requirePage(answer.path("hits").path("hits").size(), directory);
    }

    private static void requirePage(int found, Moving directory) {
        int expected = Math.min(PAGE, directory.key().documents() + 1);
        if (found != expected) {
            throw new IllegalStateException("expected " + expected + " documents in a page, found " + found);
        }
    }
}
