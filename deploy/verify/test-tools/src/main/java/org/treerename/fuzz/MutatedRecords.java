package org.treerename.fuzz;

import java.util.List;

/** Creates malformed values and headers for records of the request topic. */
public final class MutatedRecords {

    private static final List<String> WORDS = List.of(
            "{",
            "}",
            "[",
            "]",
            "\"",
            ":",
            ",",
            "\\",
            "\\u0000",
            "\\ud800",
            "null",
            "true",
            "1e999999999",
            "-0",
            "1E400",
            "9223372036854775808",
            "0.1",
            "NaN",
            "\"request_id\":",
            "\"after\":",
            "\"version\":",
            "\"source\":{",
            "\u0000",
            "\uFEFF",
            "/*",
            "//",
            "\n",
            "'",
            "{\"a\":",
            "[[",
            "../",
            "%2e%2e",
            "{{x}}",
            "0",
            "é");

    private static final List<String> TRACES =
            List.of("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "v=1");

    private MutatedRecords() {}

    /** Returns mutations of the given well-formed requests. */
    public static Mutations values(long seed, List<String> good) {
        return new Mutations(seed, good, WORDS);
    }

    /** Returns mutations of the headers that contain a trace context. */
    public static Mutations traces(long seed) {
        return new Mutations(seed, TRACES, WORDS);
    }
}
