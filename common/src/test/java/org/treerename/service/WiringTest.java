package org.treerename.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.installation.Installation;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.process.Lease;
import org.treerename.rename.Stores;
import org.treerename.runtime.SystemTime;
import org.treerename.store.NoAnswerException;

class WiringTest {

    private static final int SILENT = 5;
    private static final String UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    /** No process listens on this port, and no test gets this port by chance. */
    private static final String UNREACHABLE = "127.0.0.1:1";

    /** Returns the settings of a process with this name. */
    private static ServiceSettings settings(@Nullable String processName) {
        return new ServiceSettings(
                processName,
                KafkaClientSettings.of(UNREACHABLE),
                Elastic.Settings.of("http://" + UNREACHABLE, Duration.ofSeconds(5)),
                0,
                new Lease(Duration.ofSeconds(30)),
                new ElasticTreeStore.Limits(10, 1_000),
                10,
                null,
                Duration.ofSeconds(1));
    }

    private static Host host(ServiceSettings settings) {
        return new Host(
                settings,
                Instrumentation.NONE,
                new SystemTime(),
                Observability.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Installation.DEFAULT));
    }

    private static String processId(Host host) {
        return Wiring.Life.begin(host, "worker", "rename-worker", Duration.ZERO)
                .context()
                .processId();
    }

    @Test
    void a_process_id_begins_with_the_process_name_and_is_never_used_twice() throws IOException {
        try (Host named = host(settings("rename-worker-7d9f-abcde"));
                Host nameless = host(settings(null))) {
            String first = processId(named);

            assertThat(first).matches("rename-worker-7d9f-abcde-" + UUID);
            assertThat(processId(named)).startsWith("rename-worker-7d9f-abcde-").isNotEqualTo(first);
            assertThat(processId(nameless)).matches("worker-" + UUID);
        }
    }

    @Test
    void refuses_an_invalid_process_name() throws IOException {
        assertThat(settings("a".repeat(63)).processName()).hasSize(63);
        for (String name : new String[] {"", "a b", "a/b", "a_b", "ü", "a\n", "a".repeat(64)}) {
            assertThatThrownBy(() -> settings(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a process name must have 1 to 63 characters of A-Z, a-z, 0-9, . and -, found \"" + name
                            + "\"");
        }
    }

    @Test
    void the_metrics_show_an_open_circuit() throws IOException {
        try (Host host = host(settings(null));
                Wiring wiring =
                        Wiring.connect(Wiring.Life.begin(host, "worker", "rename-worker", Duration.ZERO), () -> {})) {
            Stores stores = wiring.stores();
            String before = host.observability().meters().shown();

            for (int i = 0; i < SILENT; i++) {
                assertThatThrownBy(() -> stores.journal().read("r1")).isInstanceOf(NoAnswerException.class);
            }

            assertThat(before).contains("tree_rename_elasticsearch_gone 0.0");
            assertThat(host.observability().meters().shown()).contains("tree_rename_elasticsearch_gone 1.0");
        }
    }
}
