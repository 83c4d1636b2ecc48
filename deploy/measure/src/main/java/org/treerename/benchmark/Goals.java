package org.treerename.benchmark;

import java.util.List;

/** The goals of tree rename in all benchmarks. Each run compares its figures with these goals. */
final class Goals {

    /**
     * The goals of directory renames. Each goal compares tree rename with one alternative, in the measurement with the
     * best number of slices. The times of tree rename and of the alternatives include a refresh.
     */
    private static final List<Directory> DIRECTORIES = List.of(
            new Directory(10_000, 0.85, 0.9), new Directory(100_000, 1, 0.95), new Directory(1_000_000, 1, 0.95));

    /**
     * The largest allowed time until a rename is decided, as a multiple of the time of one bulk request with a refresh.
     */
    private static final double DECIDED_BULKS = 3;

    /**
     * The largest allowed time of one file rename on an idle system, as a multiple of the time of one bulk request with
     * a refresh.
     */
    private static final double SINGLE_BULKS = 4;

    /**
     * The largest allowed time from a commit until readers see the rename, as a multiple of the time of one bulk
     * request with a refresh.
     */
    private static final double VISIBLE_BULKS = 3;

    private static final double VIEW_MILLIS = 5;

    private static final double FILES_OF_GUIDE_AT_256 = 3.5;
    private static final double FILES_OF_GUIDE_AT_1024 = 5;
    private static final double ELASTICSEARCH_MILLIS_PER_FILE = 0.9;

    private static final double CONTENDED_PER_SECOND = 150;
    private static final double CONTENDED_MILLIS = 5;
    private static final double HAND_OVER_MILLIS = 50;

    private Goals() {}

    /**
     * The goals of the rename of a directory with this number of documents.
     *
     * @param ofQuery the smallest allowed ratio of tree rename to the best update by query
     * @param ofScan the smallest allowed ratio of tree rename to the best scan with bulk requests
     */
    private record Directory(int documents, double ofQuery, double ofScan) {}

    /**
     * Returns the goals of the rename of a directory. Returns an empty list if a directory of this size has no goal.
     */
    static List<Goal> directory(int documents, String engine, List<String> queries, List<String> scans) {
        return DIRECTORIES.stream()
                .filter(directory -> directory.documents() == documents)
                .flatMap(directory -> List.<Goal>of(
                        new Goal.Times(engine, queries, directory.ofQuery(), List.of()),
                        new Goal.Times(engine, scans, directory.ofScan(), List.of()))
                        .stream())
                .toList();
    }

    static List<Goal> decided(String engine, String bulk) {
        return List.of(new Goal.AtMostTimes(engine, bulk, DECIDED_BULKS));
    }

    /** Returns the goal for the time from the commit of a rename until readers see the rename. */
    static List<Goal> visible(String seen, String bulk) {
        return List.of(new Goal.AtMostTimes(seen, bulk, VISIBLE_BULKS));
    }

    /** Returns the goal for the additional time that a page of a reader takes, compared with a search. */
    static List<Goal> view(String extra) {
        return List.of(new Goal.AtMost(extra, VIEW_MILLIS));
    }

    static List<Goal> single(String engine, String bulk) {
        return List.of(new Goal.AtMostTimes(engine, bulk, SINGLE_BULKS));
    }

    /**
     * Returns the goals of file renames. These goals compare tree rename with the best figure of the guide. Returns an
     * empty list if this number of concurrent renames has no goal.
     */
    static List<Goal> files(int underWay, String engine, List<String> guides) {
        return switch (underWay) {
            case 256 -> List.of(new Goal.Times(engine, guides, FILES_OF_GUIDE_AT_256, List.of()));
            case 1_024 -> List.of(new Goal.Times(engine, guides, FILES_OF_GUIDE_AT_1024, List.of()));
            default -> List.of();
        };
    }

    /**
     * Returns the goal for the processor time that Elasticsearch uses for each file rename. Returns an empty list if
     * this number of concurrent renames has no goal.
     */
    static List<Goal> fileCost(int underWay, String elasticsearch) {
        return underWay == 256 ? List.of(new Goal.AtMost(elasticsearch, ELASTICSEARCH_MILLIS_PER_FILE)) : List.of();
    }

    static List<Goal> contended(String side) {
        return List.of(new Goal.AtLeast(side, CONTENDED_PER_SECOND));
    }

    static List<Goal> contendedCost(String elasticsearch) {
        return List.of(new Goal.AtMost(elasticsearch, CONTENDED_MILLIS));
    }

    static List<Goal> handOver(String side) {
        return List.of(new Goal.AtMost(side, HAND_OVER_MILLIS));
    }
}
