package org.treerename.benchmark;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.treerename.benchmark.Rounds.Measure;
import org.treerename.benchmark.Rounds.Side;
import org.treerename.benchmark.TreeDocuments.Kind;
import org.treerename.namespace.Granularity;
import org.treerename.request.Outcome;

/** Renames a directory back and forth. Only one thread calls this class. */
final class Moving {

    static final String REFRESHED = ", and a refresh";

    private static final String PROBE = """
            {"index":{"_id":"probe"}}
            {"path":"/probe","parent":"/","name":"probe","type":"file"}
            """;
    private static final String HERE = "/tree/here";
    private static final String THERE = "/tree/there";

    private final Tree tree;
    private final Key key;
    private final String here;
    private final String there;
    private String at;
    private int besides;

    /**
     * Identifies a directory by the number of its documents, the size of a document, and the number of shards of its
     * index.
     */
    record Key(int documents, Kind kind, int shards) {

        String counted() {
            return String.format(Locale.ROOT, "%,d", documents);
        }
    }

    /** Creates a small directory in the same index, and returns an object that renames the small directory. */
    Moving beside(int documents) {
        Key small = new Key(documents, key.kind(), key.shards());
        String place = "/beside-" + besides++;
        tree.directories(place).fill(place + "/here", documents);
        return new Moving(tree, small, place + "/here", place + "/there");
    }

    /** A way to rename a directory. Returns the number of moved documents. */
    interface Way {
        long move(String from, String to) throws Exception;
    }

    /** A way to rename a directory. Returns the figures of the rename except its time, which the caller measures. */
    interface MeasuredWay {
        Move move(String from, String to) throws Exception;
    }

    /** The number of moved documents, and the figures of the rename except its time. */
    record Move(long documents, List<Double> figures) {}

    private Moving(Tree tree, Key key, String here, String there) {
        this.tree = tree;
        this.key = key;
        this.here = here;
        this.there = there;
        this.at = here;
    }

    static Moving create(Stage stage, Progress progress, Key key) {
        progress.report("creating a directory with " + key.counted() + " documents "
                + key.kind().words());
        String name = "tree-" + key.documents() + "-" + key.kind().name().toLowerCase(Locale.ROOT) + "-" + key.shards();
        Tree tree = Tree.create(stage, name, key.shards(), key.kind(), Granularity.TREE);
        tree.directories("/tree").fill(HERE, key.documents());
        return new Moving(tree, key, HERE, THERE);
    }

    /**
     * Returns a side that renames the directory to its other path. The only figure is the time of the rename, in
     * seconds. The preparation of the index is not measured.
     */
    Side side(Setting setting, String name, Way way) {
        return side(setting, List.of(new Measure(name, "s")), (from, to) -> new Move(way.move(from, to), List.of()));
    }

    /**
     * Returns a side that renames the directory to its other path. The first figure is the time of the rename, in
     * seconds. The other figures are the figures of {@code way}.
     */
    Side side(Setting setting, List<Measure> measures, MeasuredWay way) {
        return new Side(measures, () -> {
            String to = at.equals(here) ? there : here;
            String name = measures.getFirst().name();
            tree.settle();
            long begun = setting.time().nanos();
            Move move = way.move(at, to);
            double seconds = (setting.time().nanos() - begun) / 1e9;
            requireAll(name + ": moved documents", move.documents());
            tree.settle();
            requireAll(name + ": documents at or below " + to, tree.count(to));
            at = to;
            return Stream.concat(Stream.of(seconds), move.figures().stream()).toList();
        });
    }

    /**
     * Returns a side for a way that does not refresh the index. The side refreshes the index after each rename. The
     * side has two figures: the time including the refresh, and the time without the refresh.
     */
    Side refreshedSide(Setting setting, String name, Way way) {
        return side(setting, refreshedMeasures(name), refreshed(setting, way));
    }

    /** Returns the two measures of {@link #refreshedSide}. */
    static List<Measure> refreshedMeasures(String name) {
        return List.of(new Measure(name + REFRESHED, "s"), new Measure(name, "s"));
    }

    /**
     * Returns a way that refreshes the index after {@code way}. The only figure of the returned way is the time without
     * the refresh, in seconds.
     */
    MeasuredWay refreshed(Setting setting, Way way) {
        return (from, to) -> {
            long begun = setting.time().nanos();
            long documents = way.move(from, to);
            double bare = (setting.time().nanos() - begun) / 1e9;
            tree.refresh();
            return new Move(documents, List.of(bare));
        };
    }

    private void requireAll(String what, long found) {
        if (found != key.documents()) {
            throw new IllegalStateException(what + ": expected " + key.documents() + ", found " + found);
        }
    }

    String name() {
        return tree.name();
    }

    /**
     * Renames the directory to its other path with tree rename. The index is not merged or refreshed before the rename.
     */
    Outcome move(Engine engine) throws Exception {
        String to = at.equals(here) ? there : here;
        Outcome outcome = engine.ask(name(), at, to);
        requireAll("tree rename: moved documents", outcome.moved());
        at = to;
        return outcome;
    }

    /** Sends a bulk request with one document and with {@code refresh=true}. Returns the time in seconds. */
    double refreshedBulk(Setting setting) throws Exception {
        byte[] lines = PROBE.getBytes(StandardCharsets.UTF_8);
        return setting.seconds(() -> {
            if (setting.stage()
                    .es()
                    .bulk(name() + "/_bulk?refresh=true", lines)
                    .json()
                    .path("errors")
                    .asBoolean(true)) {
                throw new IllegalStateException(
                        "expected that Elasticsearch accepts a bulk request with one document, found an error");
            }
        });
    }

    Key key() {
        return key;
    }

    Tree tree() {
        return tree;
    }
}
