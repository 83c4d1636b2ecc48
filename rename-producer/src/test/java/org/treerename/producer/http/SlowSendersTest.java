package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Clients that send a byte now and then, for as long as they are let. */
class SlowSendersTest {

    private static final int BETWEEN_MILLIS = 500;
    private static final int MANY = 200;

    @Test
    void theyAreLetGoInTheHeadersAndInTheBody() throws Exception {
        try (OpenGateway gateway = new OpenGateway();
                ExecutorService senders = Executors.newCachedThreadPool()) {
            List<Future<Integer>> sent = List.of(
                    senders.submit(() -> drip(gateway, "GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\nX-Long: ")),
                    senders.submit(() -> drip(
                            gateway,
                            "POST /v1/renames HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: 1000\r\n\r\n{")));

            for (Future<Integer> bytes : sent) {
                assertThat(bytes.get()).isLessThan(MANY);
            }
            assertThat(gateway.get("/v1/openapi.json").statusCode()).isEqualTo(200);
        }
    }

    /** How many bytes were sent until the connection was closed. */
    private static int drip(OpenGateway gateway, String begin) throws IOException, InterruptedException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.at("/").getPort())) {
            socket.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
            socket.setSoTimeout(BETWEEN_MILLIS);
            for (int bytes = 0; bytes < MANY; bytes++) {
                if (isClosed(socket)) {
                    return bytes;
                }
                socket.getOutputStream().write('x');
            }
            return MANY;
        } catch (SocketException e) {
            return 0;
        }
    }

    /** Looks for half a second. */
    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
