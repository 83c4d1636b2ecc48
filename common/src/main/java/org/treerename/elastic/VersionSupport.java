package org.treerename.elastic;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The level of support for the versions of the Elasticsearch nodes. The level depends only on the versions.
 *
 * @param what the versions that were found, and their meaning
 * @param mend the action that corrects the problem; empty if no action is necessary
 */
public record VersionSupport(Level level, String what, String mend) {

    /** The level of support. The level determines whether a process starts, and whether it logs a warning. */
    public enum Level {
        /** The version is between the oldest and the newest tested version, or has the minor number of one of them. */
        SUPPORTED,
        /** The processes start with a warning. */
        UNTESTED,
        /** The processes do not start. */
        REFUSED
    }

    /** The version of Elasticsearch with which all tests of this project run. */
    public static final String TESTED = "9.4.3";

    /** The oldest version of Elasticsearch with which the tests of the stores and of some crashes run. */
    public static final String OLDEST_TESTED = "9.2.8";

    /** The newest version of Elasticsearch with which the tests of the stores and of some crashes run. */
    public static final String NEWEST_TESTED = "9.5.3";

    private static final String ALL_TESTED = OLDEST_TESTED + ", " + TESTED + " and " + NEWEST_TESTED + " are tested";

    /** The supported versions, as in "9.2 to 9.5". */
    public static final String SUPPORTED = shortened(OLDEST_TESTED) + " to " + shortened(NEWEST_TESTED);

    private static final String USE_SUPPORTED = "use Elasticsearch " + SUPPORTED + "; " + ALL_TESTED;

    private static final int[] OLDEST_ACCEPTED = {9, 0};

    /** The first version of Elasticsearch that accepts the parameter {@code exclude_vectors}. */
    private static final int[] FIRST_WITHOUT_VECTORS = {9, 2};

    private static final Pattern NUMBER = Pattern.compile("(\\d+)\\.(\\d+)\\..*");

    /**
     * Compares the versions of all known nodes with the oldest accepted version and the tested versions. The collection
     * must contain at least one version.
     */
    public static VersionSupport of(Collection<String> versions) {
        List<String> all = List.copyOf(new TreeSet<>(versions));
        if (all.isEmpty()) {
            throw new IllegalArgumentException("expected the version of at least one node, found none");
        }
        for (String version : all) {
            if (isBefore(version, OLDEST_ACCEPTED)) {
                return new VersionSupport(Level.REFUSED, "Elasticsearch " + version + " is too old", USE_SUPPORTED);
            }
        }
        return all.size() == 1
                ? ofOne(all.getFirst())
                : new VersionSupport(
                        Level.UNTESTED,
                        "the nodes of Elasticsearch have different versions: " + String.join(", ", all),
                        "finish the update of Elasticsearch before you rename important data");
    }

    private static VersionSupport ofOne(String version) {
        if (number(version).isEmpty()) {
            return new VersionSupport(
                    Level.UNTESTED, "the version " + version + " of Elasticsearch is unknown", USE_SUPPORTED);
        }
        if (isBefore(version, minor(OLDEST_TESTED))) {
            return untested(version, "older than the oldest tested version " + OLDEST_TESTED);
        }
        if (isAfter(version, minor(NEWEST_TESTED))) {
            return untested(version, "newer than the newest tested version " + NEWEST_TESTED);
        }
        return new VersionSupport(Level.SUPPORTED, "Elasticsearch " + version + " is supported", "");
    }

    private static VersionSupport untested(String version, String comparison) {
        return new VersionSupport(
                Level.UNTESTED,
                "Elasticsearch " + version + " is " + comparison,
                "test renames on a copy of your data first");
    }

    /** Returns one sentence with the versions that were found, and with the action if an action is necessary. */
    public String sentence() {
        return mend.isEmpty() ? what : what + "; " + mend;
    }

    /**
     * Returns whether one of the nodes refuses the parameter {@code exclude_vectors}. A node that refuses the parameter
     * always returns vectors.
     */
    static boolean anyRefusesExcludeVectors(Collection<String> versions) {
        return versions.stream().anyMatch(version -> isBefore(version, FIRST_WITHOUT_VECTORS));
    }

    private static boolean isBefore(String version, int[] other) {
        return number(version).map(number -> Arrays.compare(number, other) < 0).orElse(false);
    }

    private static boolean isAfter(String version, int[] other) {
        return number(version).map(number -> Arrays.compare(number, other) > 0).orElse(false);
    }

    private static int[] minor(String version) {
        return number(version).orElseThrow();
    }

    private static String shortened(String version) {
        return version.substring(0, version.lastIndexOf('.'));
    }

    private static Optional<int[]> number(String version) {
        Matcher number = NUMBER.matcher(version);
        return number.matches()
                ? Optional.of(new int[] {Integer.parseInt(number.group(1)), Integer.parseInt(number.group(2))})
                : Optional.empty();
    }
}
