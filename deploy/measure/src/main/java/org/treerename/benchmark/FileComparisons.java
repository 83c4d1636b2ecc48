package org.treerename.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.treerename.benchmark.Clients.Client;
import org.treerename.benchmark.Rounds.Side;

/** Compares renames of the same files by tree rename, by the steps of {@link Guide}, and by {@link BulkUpdates}. */
final class FileComparisons {

    private static final String ENGINE = "tree rename";
    private static final String TREE = "guide, tree locking";
    private static final String KNOWN = "guide, tree locking of known ids";
    private static final String LIMIT = "bulks of updates";
    private static final String SINGLE = "one _bulk with refresh=true";
    private static final Duration REST = Duration.ofMillis(100);
    private static final double MILLIS = 1_000;

    /**
     * The smallest number of renames in a bulk request of {@link BulkUpdates}. A bulk request has fewer renames only if
     * the number of clients is smaller.
     */
    private static final int LEAST_IN_BULK = 16;

    private static final int MOST_BULKS = 4;

    private final FileGround ground;

    /** The files, spread over many directories. */
    private final FilePool files;

    FileComparisons(FileGround ground, FilePool files) {
        this.ground = ground;
        this.files = files;
    }

    /**
     * Compares tree rename with the guide at saturation. Measures tree rename with several numbers of concurrent
     * renames. Measures the guide with several numbers of clients, and uses the best figure of the guide for the goals.
     *
     * @param underWay the numbers of concurrent renames of tree rename
     * @param guides the numbers of clients of the guide
     */
    List<Comparison> saturated(List<Integer> underWay, List<Integer> guides) throws Exception {
        Guide guide = ground.guide(files);
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
                sides,
                "Renames of files, saturated",
                goals,
                costs,
                List.of(
                        "Tree rename runs one worker, which processes up to " + FileGround.MOST_IN_PROGRESS
                                + " renames at the same time. The other requests wait in Kafka and in the memory of the"
                                + " worker. Each measurement sends requests for "
                                + ground.length().toMillis()
                                + " ms, and for one more second for each " + FileGround.SATURATED_A_SECOND
                                + " concurrent renames. The measurement ends at the last outcome.",
                        notes(),
                        "The variant \"" + LIMIT + "\" sends " + bulks + (bulks == 1 ? " bulk" : " bulks") + " of "
                                + Math.max(1, ofLimit / bulks) + " updates at a time."));
    }

    private static String at(String side, int count) {
        return side + String.format(Locale.ROOT, ", %,d at a time", count);
    }

    private static int bulks(int count) {
        return Math.clamp(count / LEAST_IN_BULK, 1, MOST_BULKS);
    }

    private String notes() {
        return "The same " + files.size()
                + " files in several top-level directories are renamed within their directories."
                + " After each measurement, a check finds each file at its path, and finds no remaining lock. The"
                + " clients of the guide's recipe find the source by a search after a refresh. In the variant"
                + " with known ids, they need neither the search nor the refresh. So this variant measures only the"
                + " locks of the recipe. With global and document locking, a refused client tries again after 2 ms on average."
                + " The index is " + ground.tree().name() + ".";
    }

    private List<Comparison> compared(
            List<Side> sides, String title, List<Goal> goals, List<Goal> costs, List<String> notes) throws Exception {
        List<String> names =
                sides.stream().map(side -> side.measures().getFirst().name()).toList();
        List<Series> played = ground.setting().rounds().play(sides);
        return List.of(
                new Comparison(title, "renames/s", Better.HIGHER, Costs.figuresOf(names, played), goals, notes),
                ground.costs().comparison(title, names, played, costs));
    }

    /** Compares all sides with {@code count} concurrent renames. */
    List<Comparison> atOnce(int count) throws Exception {
        Guide guide = ground.guide(files);
        int bulks = bulks(count);
        return compared(
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
                List.of(notes()));
    }

    /** Compares tree rename with the guide in one directory. All renames in this directory need the same lock table. */
    Comparison hot(FilePool hot, int count) throws Exception {
        Guide guide = ground.guide(hot);
        List<Side> sides = List.of(
                ground.side(ENGINE + ", spread", Costs.ENGINE, files, count, files.askedOf(ground.engine())),
                ground.side(ENGINE, Costs.ENGINE, hot, count, hot.askedOf(ground.engine())),
                ground.side(TREE, Costs.PEER, hot, count, guide::tree),
                ground.side(KNOWN, Costs.PEER, hot, count, guide::treeOfKnownIds));
        return compared(
                        sides,
                        "Renames of files in one hot directory, " + count + " at a time",
                        List.of(),
                        List.of(),
                        List.of("Except in the first variant, all files are in one top-level directory. So all"
                                + " requests go through one partition, and tree rename uses one lock table for"
                                + " them."))
                .getFirst();
    }

    /**
     * Compares single renames on an idle system.
     *
     * @param samples the number of measured renames; the figure is their median
     */
    Comparison single(int samples) throws Exception {
        Client asking = files.askedOf(ground.engine());
        BulkUpdates bulk = ground.bulks(files, 1);
        List<Series> played = ground.setting()
                .rounds()
                .play(List.of(
                        new Side(ENGINE, "ms", () -> median(samples, () -> asking.once(() -> true))),
                        new Side(SINGLE, "ms", () -> median(samples, bulk::onceWithRefresh))));
        return new Comparison(
                "One rename of a file on an idle system",
                "ms",
                Better.LOWER,
                played,
                Goals.single(ENGINE, SINGLE),
                List.of("Each figure is the median of " + samples
                        + " measurements of one rename or one bulk, with a pause of " + REST.toMillis()
                        + " ms before each."));
    }

    /** Does the work several times, and returns the median time in milliseconds. */
    private double median(int samples, Setting.Stretch work) throws Exception {
        Setting setting = ground.setting();
        List<Double> taken = new ArrayList<>();
        for (int i = 0; i < samples; i++) {
            setting.time().pause(REST);
            taken.add(MILLIS * setting.seconds(work));
        }
        return Spread.of(taken).median();
    }
}
