package org.treerename.janitor.deadletter;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.kafka.KafkaClientSettings;

final class KafkaDeadLettersTest {

    @Test
    void unusable_properties_are_wrong_use_and_their_values_are_not_printed() {
        KafkaClientSettings wrong = KafkaClientSettings.of("127.0.0.1:1")
                .with(Map.of(
                        "security.protocol",
                        "SSL",
                        "ssl.truststore.location",
                        "/nowhere",
                        "ssl.truststore.password",
                        "canary"));

        assertThatThrownBy(() -> KafkaDeadLetters.connect(wrong, Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("canary");
    }
}
