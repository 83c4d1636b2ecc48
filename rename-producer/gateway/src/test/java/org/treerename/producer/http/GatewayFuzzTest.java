package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Sends valid, slightly wrong and malformed requests, each on its own connection. The test sends 5,000 requests, or the
 * number in {@code -Dfuzz.requests=…}. The requests are the same in every run.
 */
class GatewayFuzzTest {

    private static final int REQUESTS = Integer.getInteger("fuzz.requests", 5_000);
    private static final int SENDERS = 4;
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final Duration LEAVING = Duration.ofSeconds(40);

    /** A time for which the gateway never waits for a client. */
    private static final Duration TOO_LONG = Duration.ofMinutes(5);

    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");
    private static final String CLOSED = "closed";

    private static final String BODY = OpenGateway.renaming("fuzz");
    private static final List<String> SEEDS = List.of(
            "GET /v1/renames HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "GET /v1/renames?state=moving HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "GET /v1/renames/a%2Fb%25 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "DELETE /v1/renames/fuzz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "GET /v1/renames/fuzz/events HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nConnection: close\r\n\r\n",
            "GET /v1/renames/fuzz/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "POST /v1/renames HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nIdempotency-Key: fuzz\r\n"
                    + "Connection: close\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY,
            "POST /v1/renames HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(BODY.length()) + "\r\n" + BODY
                    + "\r\n0\r\n\r\n",
            "POST /v1/renames HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
                    + "Connection: close\r\nContent-Length: 2\r\n\r\n{}",
            "GET /v1/renames HTTP/1.1\r\n"
                    + "Host: localhost\r\n\r\n"
                    + "GET /v1/renames/fuzz HTTP/1.1\r\n"
                    + "Host: localhost\r\n"
                    + "Connection: close\r\n\r\n",
            "GET / HTTP/1.0\r\n\r\n",
            "GET /v1/renames HTTP/1.1\r\nHost: localhost\r\n\r\nGET /v1/renames HTTP/1.0\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\n"
                    + "Host: localhost\r\n"
                    + "Upgrade: h2c\r\n"
                    + "Connection: Upgrade, HTTP2-Settings\r\n"
                    + "HTTP2-Settings: AAMAAABk\r\n\r\n",
            "\u0016\u0003\u0001\u0002\u0000\u0001\u0000",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

    @Test
    void serves_the_next_request_and_keeps_no_connection_after_malformed_requests() throws Exception {
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        logged.start();
        try (OpenGateway gateway = new OpenGateway()) {
            assertThat(gateway.get("/v1/openapi.json").statusCode()).isEqualTo(200);
            root.addAppender(logged);

            Map<String, Integer> answers = play(gateway.at("/"));

            assertThat(answers.keySet())
                    .as(answers.toString())
                    .allMatch(answer -> answer.matches("closed|20[02]|4\\d\\d|503|505"))
                    .contains(CLOSED, "200", "202", "400", "404", "405", "406", "505");
            assertThat(gateway.get("/v1/openapi.json").statusCode()).isEqualTo(200);
            // the HTTP client of the test keeps one connection open
            int others = OpenGateway.LIMITS.connections() - 1;
            Awaitility.await().atMost(LEAVING).untilAsserted(() -> {
                gateway.advance(TOO_LONG);
                assertThat(gateway.streams.size()).isZero();
                assertThat(gateway.connections()).isZero();
                assertThat(answeredAtOnce(gateway.at("/"), others)).isTrue();
            });
            System.out.println("answers to " + REQUESTS + " requests: " + answers);
            // while the server stops, it may log that its socket was closed
            root.detachAppender(logged);
        } finally {
            root.detachAppender(logged);
        }
        assertThat(logged.list)
                .filteredOn(event -> event.getThrowableProxy() != null)
                .isEmpty();
    }

    /**
     * Opens this many connections at the same time. Returns whether each connection receives an answer. If each one
     * receives an answer, the gateway has closed the connections of all earlier test requests.
     */
    private static boolean answeredAtOnce(URI gateway, int connections) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < connections; i++) {
                Socket socket = new Socket(gateway.getHost(), gateway.getPort());
                sockets.add(socket);
                socket.setSoTimeout(TIMEOUT_MILLIS);
                socket.getOutputStream().write(text("GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"));
                String answer = new String(
                        socket.getInputStream().readNBytes("HTTP/1.1 200".length()), StandardCharsets.ISO_8859_1);
                if (!answer.equals("HTTP/1.1 200")) {
                    return false;
                }
            }
            return true;
        } catch (SocketException e) {
            // the gateway refuses the connection, because too many connections are open
            return false;
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static Map<String, Integer> play(URI gateway) throws Exception {
        Map<String, Integer> answers = new ConcurrentSkipListMap<>();
        List<Future<?>> senders = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(SENDERS)) {
            for (int sender = 0; sender < SENDERS; sender++) {
                int first = sender;
                senders.add(threads.submit(() -> {
                    for (int seed = first; seed < REQUESTS; seed += SENDERS) {
                        answers.merge(answer(gateway, mutated(seed)), 1, Integer::sum);
                    }
                    return null;
                }));
            }
        }
        for (Future<?> sender : senders) {
            sender.get();
        }
        return answers;
    }

    /**
     * Returns one of the {@link #SEEDS}. The first requests are unchanged, and all later ones have one to four changes.
     * Most changes are after the first line. If the first line is changed, the gateway rejects most requests before it
     * reads the rest.
     */
    private static byte[] mutated(int seed) {
        Random random = new Random(seed);
        byte[] request = SEEDS.get(seed % SEEDS.size()).getBytes(StandardCharsets.ISO_8859_1);
        int changes = seed < SEEDS.size() ? 0 : 1 + random.nextInt(4);
        for (int i = 0; i < changes && request.length > 0; i++) {
            request = changed(request, random);
        }
        return request;
    }

    private static byte[] changed(byte[] request, Random random) {
        int line = random.nextInt(4) == 0 ? 0 : endOfLine(request);
        int from = line + random.nextInt(request.length - line);
        int to = Math.min(request.length, from + 1 + random.nextInt(12));
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        switch (random.nextInt(7)) {
            case 0 -> {
                changed.write(request, 0, from);
                changed.write(random.nextInt(256));
                changed.write(request, from + 1, request.length - from - 1);
            }
            case 1 -> {
                changed.write(request, 0, from);
                changed.write(request, to, request.length - to);
            }
            case 2 -> {
                changed.write(request, 0, to);
                changed.write(request, from, request.length - from);
            }
            case 3 -> changed.write(request, 0, from);
            case 4 -> {
                changed.write(request, 0, from);
                changed.writeBytes(text("\r\nContent-Length: " + (random.nextInt(1 << 20) - 10) + "\r\n"));
                changed.write(request, from, request.length - from);
            }
            case 5 -> {
                changed.write(request, 0, from);
                changed.writeBytes(text("x".repeat(random.nextInt(random.nextInt(10) == 0 ? 40_000 : 40))));
                changed.write(request, from, request.length - from);
            }
            default -> {
                changed.write(request, 0, from);
                changed.writeBytes(
                        text(List.of("%00", "%2F", "/../", "\0", "\r\n\r\n", "\n", ";", "%ff", "Accept: */*\r\n", "?")
                                .get(random.nextInt(10))));
                changed.write(request, from, request.length - from);
            }
        }
        return changed.toByteArray();
    }

    private static int endOfLine(byte[] request) {
        int end = new String(request, StandardCharsets.ISO_8859_1).indexOf('\n') + 1;
        return end == request.length ? 0 : end;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * Returns the status of the last answer, or {@link #CLOSED} if there was no answer. If the
     * answer is a stream of events, closes the connection at the beginning of the stream.
     */
    private static String answer(URI gateway, byte[] request) throws IOException {
        ByteArrayOutputStream answered = new ByteArrayOutputStream();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(gateway.getHost(), gateway.getPort()), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            try {
                socket.getOutputStream().write(request);
                socket.shutdownOutput();
                InputStream in = socket.getInputStream();
                byte[] buffer = new byte[8192];
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    answered.write(buffer, 0, read);
                    if (answered.toString(StandardCharsets.ISO_8859_1).contains("text/event-stream\r\n")) {
                        break;
                    }
                }
            } catch (SocketException e) {
                // the gateway closed the connection before the test had sent the request or read the answer
                answered.write(0);
            }
        }
        String last = CLOSED;
        Matcher statuses = STATUS.matcher(answered.toString(StandardCharsets.ISO_8859_1));
        while (statuses.find()) {
            last = statuses.group(1);
        }
        assertThat(answered.toString(StandardCharsets.ISO_8859_1)).doesNotContain("\tat ", "Exception");
        return last.equals("100") ? CLOSED : last;
    }
}
