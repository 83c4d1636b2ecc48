package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.http.HttpServer;

/** Tests with clients that send single bytes slowly and never complete their request. */
class SlowSendersTest {

    private static final int BYTES = 5;

    /**
     * The time after which a test fails if the connection is still open. This time is shorter than {@link
     * HttpServer#MAX_IDLE}, so the timeout of idle connections cannot close the connection in this time.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final OpenGateway gateway = new OpenGateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void closes_a_connection_whose_headers_take_too_long() throws IOException, InterruptedException {
        try (Socket socket = begin("GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\nX-Long: ")) {
            Awaitility.await("the first line").atMost(Duration.ofMinutes(2)).until(() -> gateway.connections() == 1);

            drip(socket);

            assertClosed(socket);
        }
        assertServesOthers();
    }

    @Test
    void closes_a_connection_whose_body_takes_too_long() throws IOException, InterruptedException {
        try (Socket socket = begin("POST /v1/renames HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n")) {
            String expected = "HTTP/1.1 100 Continue\r\n\r\n";
            assertThat(new String(socket.getInputStream().readNBytes(expected.length()), StandardCharsets.US_ASCII))
                    .isEqualTo(expected);

            drip(socket);

            assertClosed(socket);
        }
        assertServesOthers();
    }

    private Socket begin(String request) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.at("/").getPort());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.setTcpNoDelay(true);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Sends single bytes until the maximum time for a request is over. */
    private void drip(Socket socket) throws IOException {
        for (int i = 0; i < BYTES; i++) {
            socket.getOutputStream().write('x');
            gateway.advance(HttpServer.MAX_SENDING.dividedBy(BYTES));
        }
    }

    /** Asserts that the connection is closed. The connection is reset if the gateway has not read the last byte. */
    private static void assertClosed(Socket socket) throws IOException {
        try {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (SocketException e) {
            assertThat(e).hasMessage("Connection reset");
        }
    }

    private void assertServesOthers() throws IOException, InterruptedException {
        assertThat(gateway.get("/v1/openapi.json").statusCode()).isEqualTo(200);
    }
}
