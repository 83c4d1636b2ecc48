package org.treerename.janitor.admin;

import java.time.Duration;
import org.treerename.runtime.DurationConverter;
import org.treerename.wire.KafkaDeadLetters;
import org.treerename.wire.KafkaSender;
import picocli.CommandLine.Option;

/** How to reach Kafka. */
final class KafkaOptions {

    @Option(
            names = "--kafka-bootstrap-servers",
            required = true,
            paramLabel = "HOST:PORT,…",
            description = "Where Kafka is.")
    private String bootstrapServers = "";

    @Option(
            names = "--request-timeout",
            defaultValue = "30s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "How long Kafka may take to answer (default: ${DEFAULT-VALUE}).")
    private Duration requestTimeout = Duration.ZERO;

    /** The caller closes it. */
    KafkaDeadLetters deadLetters() {
        return KafkaDeadLetters.connect(bootstrapServers, requestTimeout);
    }

    /** The caller closes it. */
    KafkaSender sender() {
        return KafkaSender.connect(bootstrapServers);
    }
}
