package org.treerename.janitor.admin;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.treerename.host.KafkaOptions;
import org.treerename.runtime.DurationConverter;
import org.treerename.wire.KafkaDeadLetters;
import org.treerename.wire.KafkaSender;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How to reach Kafka, and for how long to wait for it. */
final class KafkaReach {

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
    Admin admin() {
        int millis = (int) requestTimeout.toMillis();
        Map<String, Object> patience = Map.of(
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                millis,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                millis);
        return kafka.settings().client(patience, Admin::create);
    }

    /** The caller closes it. */
    KafkaSender sender() {
        return KafkaSender.connect(kafka.settings());
    }
}
