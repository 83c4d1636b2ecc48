package org.treerename.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.treerename.crash.CrashPoints;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.process.Lease;
import org.treerename.rename.Stores;
import org.treerename.runtime.SystemTime;
import org.treerename.store.NoAnswerException;
import org.treerename.wire.KafkaClientSettings;

class WiringTest {

    private static final int SILENT = 5;

    /** Nobody listens there. */
    private static String nobody() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return "127.0.0.1:" + free.getLocalPort();
        }
    }

    @Test
    void the_metrics_tell_of_an_open_circuit() throws IOException {
        ServiceSettings settings = new ServiceSettings(
                KafkaClientSettings.of(nobody()),
                Elastic.Settings.of("http://" + nobody(), Duration.ofSeconds(5)),
                0,
                new Lease(Duration.ofSeconds(30)),
                new ElasticTreeStore.Limits(10, 1_000),
                10,
                null,
                Duration.ofSeconds(1));
        try (Host host = new Host(
                        settings,
                        CrashPoints.OFF,
                        new SystemTime(),
                        Lookout.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
                Wiring wiring =
                        Wiring.connect(Wiring.Life.begin(host, "worker", "rename-worker", Duration.ZERO), () -> {})) {
            Stores stores = wiring.stores();
            String before = host.lookout().meters().shown();

            for (int i = 0; i < SILENT; i++) {
                assertThatThrownBy(() -> stores.journal().read("r1")).isInstanceOf(NoAnswerException.class);
            }

            assertThat(before).contains("tree_rename_elasticsearch_gone 0.0");
            assertThat(host.lookout().meters().shown()).contains("tree_rename_elasticsearch_gone 1.0");
        }
    }
}
