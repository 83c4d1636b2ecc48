package org.treerename.monitoring;

import java.util.Arrays;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.treerename.installation.Installation;
import org.treerename.observe.Meters;
import org.treerename.observe.Metric;

/** Extracts the names of the metrics from a Prometheus expression. */
record Expression(String text) {

    /** Matches the parts without a metric name: text in braces, brackets or quotes, lists of labels, and offsets. */
    private static final Pattern NO_METRIC = Pattern.compile(
            "\"[^\"]*\"|\\{[^}]*}|\\[[^]]*]|\\b(by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)|\\boffset\\s+\\w+");

    private static final Pattern NAME = Pattern.compile("\\b[a-zA-Z_][a-zA-Z0-9_]*\\b(?!\\s*\\()");
    private static final Pattern NUMBER = Pattern.compile("\\b\\d[\\w.]*\\b");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool");

    Set<String> metrics() {
        String bare = NUMBER.matcher(NO_METRIC.matcher(text).replaceAll(" ")).replaceAll(" ");
        return NAME.matcher(bare)
                .results()
                .map(MatchResult::group)
                .filter(name -> !WORDS.contains(name))
                .collect(Collectors.toSet());
    }

    /** Returns the metrics that a process exports, and the metric {@code up}, which Prometheus adds. */
    static Set<String> known() {
        try (Meters meters = new Meters(Installation.DEFAULT)) {
            Stream<String> ofMachine = meters.shown()
                    .lines()
                    .filter(line -> line.startsWith("# TYPE "))
                    .map(line -> line.split(" ", -1)[2]);
            Stream<String> own = Arrays.stream(Metric.values())
                    .flatMap(metric -> metric.type().equals("summary")
                            ? Stream.of("_count", "_sum", "_max").map(part -> metric.shown() + part)
                            : Stream.of(metric.shown()));
            return Stream.of(ofMachine, own, Stream.of("up"))
                    .flatMap(names -> names)
                    .collect(Collectors.toSet());
        }
    }
}
