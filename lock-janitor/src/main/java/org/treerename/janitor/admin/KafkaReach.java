package org.treerename.janitor.admin;

import java.time.Duration;
import org.treerename.host.KafkaOptions;
import org.treerename.runtime.DurationConverter;
import org.treerename.wire.KafkaDeadLetters;
import org.treerename.wire.KafkaSender;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How to reach the dead letters. */
final class DltOptions {

    @Mixin
    private KafkaOptions kafka = new KafkaOptions();

    @Option(
            names = "--request-timeout",
            defaultValue = "30s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "How long Kafka may take to answer (default: ${DEFAULT-VALUE}).")
    private Duration requestTimeout = Duration.ZERO;

    /** The caller closes it. */
    KafkaDeadLetters deadLetters() {
        return KafkaDeadLetters.connect(kafka.settings(), requestTimeout);
    }

    /** The caller closes it. */
    KafkaSender sender() {
        return KafkaSender.connect(kafka.settings());
    }
}
