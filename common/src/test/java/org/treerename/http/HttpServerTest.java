package org.treerename.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.certificates.Authority;
import org.treerename.certificates.Authority.Signed;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;

/** Tests the server with real connections. The clock of the server advances only when a test advances it. */
class HttpServerTest {

    private static final int CONNECTIONS = 4;
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** This time is shorter than {@link HttpServer#MAX_IDLE}, whose clock is the clock of the machine. */
    private static final int PATIENCE_MILLIS = 20_000;

    private final ManualTime clock = ManualTime.startingAt("2026-08-01T10:00:00Z");

    /** A clock whose pauses take real time, so that the loop of the server does not spin. */
    private final Time time = new Time() {
        private final Time real = new SystemTime();

        @Override
        public Instant now() {
            return clock.now();
        }

        @Override
        public long nanos() {
            return clock.nanos();
        }

        @Override
        public void pause(Duration length) {
            real.pause(Duration.ofMillis(20));
        }
    };

    private HttpServer open(InetSocketAddress address, @Nullable ServerTls tls, int perAddress) {
        HttpServer.Site site = new HttpServer.Site() {
            @Override
            public Map<String, String> headers() {
                return Map.of();
            }

            @Override
            public void handle(Exchange exchange) {
                exchange.send(Answer.problem(Answer.NOT_FOUND, "nothing"));
            }

            @Override
            public Answer refused(int status, boolean isInternal) {
                return Answer.problem(status, "refused");
            }
        };
        return HttpServer.open(
                address,
                tls,
                new HttpServer.Limits(1_000, 1_000, CONNECTIONS, perAddress, CONNECTIONS, Duration.ofSeconds(1)),
                site,
                time);
    }

    private static Socket connect(HttpServer server) throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static int read(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read();
        } catch (SocketException e) {
            assertThat(e).hasMessage("Connection reset");
            return -1;
        }
    }

    /** Reads to the end of the connection. A server with TLS may send an alert before it closes the connection. */
    private static int end(Socket socket) throws IOException {
        int read = read(socket);
        while (read >= 0) {
            read = read(socket);
        }
        return read;
    }

    private static void awaitConnections(HttpServer server, int number) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> server.connections() == number);
    }

    @Test
    void closes_connections_that_are_silent_from_the_start(@TempDir Path folder) throws IOException {
        Signed own = Authority.in(folder).sign("server", "dns:localhost");
        ServerTls tls = ServerTls.of("--http", own.certificate(), own.key(), null, List.of());
        for (Optional<ServerTls> each : List.of(Optional.<ServerTls>empty(), Optional.ofNullable(tls))) {
            try (HttpServer server = open(ANY_PORT, each.orElse(null), CONNECTIONS)) {
                List<Socket> silent = new ArrayList<>();
                for (int i = 0; i < CONNECTIONS; i++) {
                    silent.add(connect(server));
                }
                awaitConnections(server, CONNECTIONS);
                assertThat(server.problem()).isPresent();
                // the beginning of a handshake, and the beginning of a first line
                silent.get(1).getOutputStream().write(new byte[] {22, 3, 1});
                silent.get(2).getOutputStream().write("GET /".getBytes(StandardCharsets.US_ASCII));

                clock.advance(HttpServer.MAX_SENDING);

                for (Socket socket : silent) {
                    assertThat(end(socket)).isEqualTo(-1);
                    socket.close();
                }
                awaitConnections(server, 0);
                assertThat(server.problem()).isEmpty();
            }
        }
    }

    @Test
    void closes_a_connection_of_an_address_that_has_too_many() throws IOException {
        try (HttpServer server = open(ANY_PORT, null, 1);
                Socket first = connect(server)) {
            awaitConnections(server, 1);
            try (Socket second = connect(server)) {
                assertThat(read(second)).isEqualTo(-1);
            }
            first.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(read(first)).isEqualTo('H');
        }
    }

    @Test
    void refuses_to_start_if_another_program_uses_the_port() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), other.getLocalPort());

            assertThatThrownBy(() -> open(taken, null, CONNECTIONS).close())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("cannot listen on localhost:" + other.getLocalPort());
        }
    }
}
