package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import co.elastic.clients.transport.rest5_client.low_level.Request;
import co.elastic.clients.transport.rest5_client.low_level.Rest5Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hc.core5.reactor.IOSession;
import org.apache.hc.core5.reactor.IOSessionListener;
import org.junit.jupiter.api.Test;

class ElasticSocketTest {

    /** Records for each new connection whether Nagle's algorithm is off. */
    private static final class Connections implements IOSessionListener {

        private final List<Boolean> noDelay = new CopyOnWriteArrayList<>();

        @Override
        public void connected(IOSession session) {
            try {
                noDelay.add(((SocketChannel) session.channel()).getOption(StandardSocketOptions.TCP_NODELAY));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void startTls(IOSession session) {}

        @Override
        public void inputReady(IOSession session) {}

        @Override
        public void outputReady(IOSession session) {}

        @Override
        public void timeout(IOSession session) {}

        @Override
        public void exception(IOSession session, Exception failure) {}

        @Override
        public void disconnected(IOSession session) {}
    }

    /**
     * If header and body do not fit into one packet, Nagle's algorithm delays the body. The body waits about 40 ms for
     * the delayed acknowledgement of the server. Version 5.4.0 of httpcore5 set no socket option, so Nagle's algorithm
     * was on.
     */
    @Test
    void turns_off_nagles_algorithm_on_each_connection() throws IOException {
        Connections connections = new Connections();
        try (StubNode node = StubNode.answering(request -> new StubNode.Answer(200, "{}"));
                Rest5Client client = RequestSender.client(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)))
                        .setHttpClientConfigCallback(http -> http.setIOSessionListener(connections))
                        .build()) {
            assertThat(client.performRequest(new Request("GET", "/")).getStatusCode())
                    .isEqualTo(200);
        }

        assertThat(connections.noDelay).containsExactly(true);
    }
}
