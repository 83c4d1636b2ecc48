package org.treerename.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.fuzz.Mutations;

/**
 * Sends malformed and almost valid requests to the management server of a process. The system property {@code
 * fuzz.requests} sets the number of requests.
 */
class ManagementServerFuzzTest {

    private static final int REQUESTS = Integer.getInteger("fuzz.requests", 2_000);
    private static final long SEED = 1;
    private static final int PATIENCE_MILLIS = 60_000;

    /**
     * The number of additional threads and sockets that the test accepts, because the JVM itself uses threads and
     * sockets to wait for I/O.
     */
    private static final int TOLERANCE = 8;

    private static final String METRICS = "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    private static final Pattern URL = Pattern.compile("url (\\S+)");
    private static final Pattern STATUS = Pattern.compile("\\AHTTP/1\\.[01] (\\d{3}) ");
    private static final Pattern THREADS =
            Pattern.compile("(?m)^ *\\d+: +(\\d+) +\\d+ +java\\.lang\\.(?:Virtual)?Thread(?: |$)");

    private static final List<String> GOOD = List.of(
            METRICS,
            "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n",
            "HEAD /health/ready HTTP/1.0\r\n\r\n",
            "GET http://x/metrics?a=b#c HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nUser-Agent: y\r\n\r\n",
            "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
            "GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
            "PUT /health/live HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
            METRICS.replace("Connection: close\r\n", "") + METRICS);

    private static final List<String> WORDS = List.of(
            "\r\n",
            "\n",
            "\r",
            "\u0000",
            " ",
            "\t",
            ":",
            "/",
            "//",
            "/../",
            "%",
            "%00",
            "%2e%2e",
            "%zz",
            "?",
            "#",
            "é",
            "HTTP/9.9",
            "HTTP/1.1",
            "GET",
            "CONNECT",
            "Content-Length: -1\r\n",
            "Content-Length: 99999999999999999999\r\n",
            "Content-Length: 1000000000\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Transfer-Encoding: x\r\n",
            "\r\n\r\n",
            "Expect: 100-continue\r\n",
            "Upgrade: h2c\r\n",
            "Range: bytes=0-\r\n",
            "X: <script>canary</script>\r\n",
            "<script>canary</script>",
            "mailto:x",
            "http://[::1",
            "FFFFFFFF\r\n",
            "-1\r\n",
            "A");

    @TempDir
    private Path folder;

    private Process process;
    private int port;

    @BeforeEach
    void open() throws IOException {
        Path log = folder.resolve("server.log");
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        // shorter limits than the limits of a real process, because the test waits for these limits
                        "-Dsun.net.httpserver.maxReqTime=1",
                        "-Dsun.net.httpserver.clockTick=500",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        OpenDoor.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Awaitility.await("the server logs its URL")
                .atMost(Duration.ofMinutes(1))
                .until(() -> url(log).find());
        Matcher url = url(log);
        assertThat(url.find()).isTrue();
        port = URI.create(url.group(1)).getPort();
    }

    private static Matcher url(Path log) throws IOException {
        return URL.matcher(Files.exists(log) ? Files.readString(log) : "");
    }

    @AfterEach
    void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /**
     * Sends a request, and returns the bytes that the server sends before it closes the connection. The server may
     * close the connection before it has read the whole request.
     */
    private String answerTo(byte[] request) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket socket = connect()) {
            try {
                socket.getOutputStream().write(request);
                socket.shutdownOutput();
                InputStream in = socket.getInputStream();
                byte[] buffer = new byte[8_192];
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    answer.write(buffer, 0, read);
                }
            } catch (SocketException e) {
                // the server closed the connection before it had read the whole request
            }
        }
        return answer.toString(StandardCharsets.ISO_8859_1);
    }

    private String metrics() throws IOException {
        return answerTo(METRICS.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Returns the number of reachable threads of the process, including virtual threads. This method takes no thread
     * dump, because a thread dump could disturb the process.
     */
    private long threads() throws IOException {
        Process histogram = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(process.pid()),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String printed = new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(printed).containsPattern(THREADS);
        return THREADS.matcher(printed)
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    private long sockets() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(process.pid()), "fd"))) {
            return open.filter(ManagementServerFuzzTest::isSocket).count();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException e) {
            // the descriptor was closed after it was listed
            return false;
        }
    }

    @Test
    void refuses_or_answers_each_request_and_serves_the_next() throws IOException {
        assertThat(metrics()).contains("200 OK");
        long threads = threads();
        long sockets = sockets();
        Mutations requests = new Mutations(SEED, GOOD, WORDS);
        Map<String, Integer> ends = new TreeMap<>();
        for (int i = 0; i < REQUESTS; i++) {
            byte[] request = requests.next();
            String answer = answerTo(request);
            Matcher status = STATUS.matcher(answer);
            String end = answer.isEmpty() ? "closed" : status.find() ? status.group(1) : "other";
            assertThat(end)
                    .as(
                            "request %d of seed %d: %s -> %s",
                            i, SEED, HexFormat.of().formatHex(request), answer)
                    .matches("closed|100|200|4\\d\\d|501");
            assertThat(answer).doesNotContain("canary", "\tat ", "java.", "sun.");
            ends.merge(end, 1, Integer::sum);
            if (i % 1_000 == 0) {
                // the server may still count aborted connections for a while, so it may refuse new connections
                Awaitility.await("request " + i + " of seed " + SEED + " and " + ends)
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> metrics().contains("200 OK"));
            }
        }
        System.out.println("answers to " + REQUESTS + " requests: " + ends);
        assertThat(ends).containsKeys("closed", "200", "400", "404", "405", "413");
        Awaitility.await("no thread and no socket of these requests is left")
                .atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    assertThat(threads()).as("number of threads").isLessThanOrEqualTo(threads + TOLERANCE);
                    assertThat(sockets()).as("number of sockets").isLessThanOrEqualTo(sockets + TOLERANCE);
                });
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void closes_the_connection_of_a_client_that_stops_sending() throws IOException {
        try (Socket silent = connect();
                Socket slow = connect()) {
            slow.getOutputStream().write("GET /metrics HTTP/1.1\r\nHost".getBytes(StandardCharsets.US_ASCII));

            assertThat(metrics()).contains("200 OK");
            assertThat(readToEnd(slow)).isEmpty();
            assertThat(readToEnd(silent)).isEmpty();
        }
    }

    private static String readToEnd(Socket socket) throws IOException {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketException e) {
            return "";
        }
    }

    @Test
    void does_not_read_an_endless_request() throws IOException {
        for (String endless : List.of("GET /", "GET /metrics HTTP/1.1\r\nX: ", "GET /metrics HTTP/1.1\r\n")) {
            byte[] more =
                    (endless.endsWith("\r\n") ? "X: y\r\n" : "A").repeat(20_000).getBytes(StandardCharsets.US_ASCII);
            try (Socket socket = connect()) {
                socket.getOutputStream().write(endless.getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().write(more);
                assertThat(readToEnd(socket)).doesNotContain("200 OK");
            } catch (SocketException e) {
                // the server closed the connection before it had read the whole request
            }
            assertThat(metrics()).contains("200 OK");
        }
    }
}
