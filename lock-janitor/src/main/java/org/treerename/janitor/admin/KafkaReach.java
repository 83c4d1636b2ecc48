package org.treerename.janitor.admin;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.treerename.cli.DurationConverter;
import org.treerename.installation.Installation;
import org.treerename.janitor.deadletter.KafkaDeadLetters;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.kafka.KafkaSender;
import org.treerename.service.InstallationOptions;
import org.treerename.service.KafkaOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the connection to Kafka. */
final class KafkaReach {

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private KafkaOptions kafka = new KafkaOptions();

    @Option(
            names = "--request-timeout",
            defaultValue = "30s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "How long Kafka may take to answer (default: ${DEFAULT-VALUE}).")
    private Duration requestTimeout = Duration.ZERO;

    /** Returns the installation whose topics the command uses. */
    Installation installation() {
        return installation.installation();
    }

    private KafkaClientSettings settings() {
        return kafka.settings(installation());
    }

    /** Connects to the topic of dead letters. The caller closes the result. */
    KafkaDeadLetters deadLetters() {
        return KafkaDeadLetters.connect(settings(), requestTimeout);
    }

    /** Connects an admin client. The caller closes the result. */
    Admin admin() {
        int millis = (int) requestTimeout.toMillis();
        Map<String, Object> timeouts = Map.of(
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                millis,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                millis);
        return settings().client(timeouts, Admin::create);
    }

    /** Connects a sender of records. The caller closes the result. */
    KafkaSender sender() {
        return KafkaSender.connect(settings());
    }
}
