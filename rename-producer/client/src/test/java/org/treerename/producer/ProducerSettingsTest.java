package org.treerename.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.installation.Installation;

class ProducerSettingsTest {

    private final ProducerSettings settings = ProducerSettings.of("localhost:9092");

    @ParameterizedTest
    @ValueSource(strings = {"localhost:9092", "a:1,b:2", "a:1, b:2", "[::1]:9092", "SSL://a:1"})
    void servers_are_hosts_with_ports(String servers) {
        assertThatNoException().isThrownBy(() -> ProducerSettings.of(servers));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "a:1,", "a:1 b:2", "a:x"})
    void refuses_malformed_servers_and_names_them(String servers) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProducerSettings.of(servers))
                .withMessageEndingWith("found \"" + servers + "\"");
    }

    @Test
    void refuses_a_delivery_timeout_below_the_api_timeout() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(9)))
                .withMessage("deliveryTimeout must be 10s to 24h, found 9s");
    }

    @Test
    void refuses_timeouts_out_of_range() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withTimeouts(Duration.ofMillis(999), Duration.ofSeconds(9)))
                .withMessageStartingWith("apiTimeout must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withTimeouts(Duration.ofSeconds(9), Duration.ofDays(2)))
                .withMessageStartingWith("deliveryTimeout must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withPartitionCheck(Duration.ZERO))
                .withMessageStartingWith("partitionCheck must be");
    }

    @Test
    void refuses_an_ordering_depth_out_of_range() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withOrderingDepth(11))
                .withMessage("orderingDepth must be 0 to 10, found 11");
        assertThatIllegalArgumentException().isThrownBy(() -> settings.withOrderingDepth(-1));
        assertThatNoException().isThrownBy(() -> settings.withOrderingDepth(0));
    }

    @Test
    void uses_the_topics_of_its_installation() {
        assertThat(settings.installation()).isEqualTo(Installation.DEFAULT);
        assertThat(settings.withPrefix("blue")
                        .withOrderingDepth(2)
                        .installation()
                        .requests())
                .isEqualTo("blue.rename.requests");
        assertThat(settings.withPrefix("blue").toString()).contains("prefix=blue");
        assertThatIllegalArgumentException().isThrownBy(() -> settings.withPrefix("Blue"));
    }

    @Test
    void refuses_client_properties_that_the_library_sets_itself() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        settings.withClientProperties(Map.of("acks", "0", "group.id", "g", "security.protocol", "SSL")))
                .withMessage(
                        "these properties of the Kafka clients must not be set, because this program sets them: [acks, group.id]");
    }

    @Test
    void does_not_show_the_values_of_client_properties() {
        assertThat(settings.withClientProperties(Map.of("sasl.jaas.config", "canary"))
                        .toString())
                .contains("localhost:9092 with [sasl.jaas.config]")
                .doesNotContain("canary");
    }
}
