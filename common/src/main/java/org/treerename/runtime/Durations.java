package org.treerename.runtime;

import java.time.Duration;

/** Prints and checks durations as people write them in options. */
public final class Durations {

    private Durations() {}

    /**
     * Returns the duration as a whole number of hours, seconds or milliseconds: {@code 24h}, {@code 30s}, {@code
     * 500ms}.
     */
    public static String text(Duration duration) {
        if (duration.isPositive() && duration.equals(Duration.ofHours(duration.toHours()))) {
            return duration.toHours() + "h";
        }
        return duration.equals(Duration.ofSeconds(duration.toSeconds()))
                ? duration.toSeconds() + "s"
                : duration.toMillis() + "ms";
    }

    /**
     * Throws an exception if a duration is outside a range.
     *
     * @param name the name of the setting in the message
     * @throws IllegalArgumentException if {@code found} is shorter than {@code least} or longer than {@code most}
     */
    public static void requireBetween(String name, Duration least, Duration most, Duration found) {
        if (found.compareTo(least) < 0 || found.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    name + " must be " + text(least) + " to " + text(most) + ", found " + text(found));
        }
    }
}
