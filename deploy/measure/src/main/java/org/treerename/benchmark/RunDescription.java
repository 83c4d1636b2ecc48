package org.treerename.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.treerename.stack.LocalStack;

/**
 * Describes the facts on which the figures of a run depend.
 *
 * @param label the text of {@code --label}; empty if there is none
 */
record RunDescription(Setting setting, Stage.Options options, String label) {

    /** Returns the facts at the time of this call, by name. The most important facts are the first. */
    Map<String, String> now() throws IOException {
        Map<String, String> words = new LinkedHashMap<>();
        if (!label.isEmpty()) {
            words.put("measured", label);
        }
        switch (setting.extent()) {
            case TINY -> words.put("only tried", "all sizes are tiny, so the figures mean nothing");
            case SHORT -> words.put("only tried", "the mode is short, so the figures are rough");
            case FULL -> {}
        }
        words.put("measured at", setting.time().now().toString());
        words.put("machine", Machine.inWords());
        words.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        words.put(
                "Elasticsearch",
                setting.stage().es().get("").json().at("/version/number").asText() + ", one node, -Xmx"
                        + options.elasticsearchHeap());
        words.put("Kafka", kafkaVersion() + ", one broker, " + Stage.PARTITIONS + " partitions");
        words.put(
                "worker",
                String.join(" ", "-Xmx" + Service.HEAP, String.join(" ", options.workerOptions()))
                        .trim());
        words.put(
                "rounds", setting.rounds().count() + ", and " + setting.rounds().warmUps() + " warm-up rounds");
        return words;
    }

    /** Returns the version of Kafka that the build uses. */
    private static String kafkaVersion() throws IOException {
        Properties versions = new Properties();
        try (InputStream in = LocalStack.class.getResourceAsStream("servers.properties")) {
            versions.load(Objects.requireNonNull(in));
        }
        return versions.getProperty("kafka.version", "unknown");
    }
}
