package org.treerename.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Health;

/**
 * Serves {@code /metrics}, {@code /health/live} and {@code /health/ready} over HTTP. If the process is healthy, the
 * answer is {@code {"status":"up"}} with status 200. Otherwise the answer is {@code
 * {"status":"down","failing":{"heartbeat":"…"}}} with status 503. Its body contains the reason of each failed check.
 * Both answers can also contain notes about the process: {@code "notes":{"pause":"…"}}.
 *
 * <p>The answer to any other request has a 4xx status and problem details (RFC 9457). If the server of the JDK cannot
 * parse a request, it sends its own answer with status 400, or no answer.
 *
 * <p>This server requires no authentication. Its answers contain request topics, process ids and failures of servers,
 * but no secret. A request must arrive within {@value #REQUEST_SECONDS} s, have at most {@value #HEADER_BYTES} bytes of
 * headers, and have no body. The server accepts at most {@value #CONNECTIONS} connections.
 */
public final class ManagementServer implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Logger log = LoggerFactory.getLogger(ManagementServer.class);

    private static final int REQUEST_SECONDS = 5;
    private static final int HEADER_BYTES = 16_384;
    private static final int CONNECTIONS = 100;

    /** The JDK reads these properties once, before the first server. A property that is set stays unchanged. */
    private static final Map<String, Integer> LIMITS = Map.of(
            "sun.net.httpserver.maxReqTime", REQUEST_SECONDS,
            "sun.net.httpserver.maxRspTime", 30,
            "sun.net.httpserver.maxReqHeaderSize", HEADER_BYTES,
            "sun.net.httpserver.maxReqHeaders", 64,
            "jdk.httpserver.maxConnections", CONNECTIONS);

    static {
        LIMITS.forEach((name, limit) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, String.valueOf(limit));
            }
        });
    }

    private static final List<String> METHODS = List.of("GET", "HEAD");

    private final HttpServer server;

    /** The host of the address in the settings. The server itself reports the address 0.0.0.0 in the notation of IPv6. */
    private final String host;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private ManagementServer(HttpServer server, String host) {
        this.server = server;
        this.host = host;
    }

    /**
     * Starts the server.
     *
     * @param address the address to listen on; port 0 means any free port
     * @param metrics the metrics in Prometheus' text format
     * @throws IllegalArgumentException if the server cannot listen on this address
     */
    public static ManagementServer open(InetSocketAddress address, Supplier<String> metrics, Health health) {
        try {
            HttpServer server = HttpServer.create(address, 0);
            ManagementServer management = new ManagementServer(server, address.getHostString());
            management.serve(
                    "/metrics",
                    () -> new Answer(Answer.OK, "text/plain; version=0.0.4; charset=utf-8", metrics.get(), Map.of()));
            management.serve("/health/live", () -> answer(health.live()));
            management.serve("/health/ready", () -> answer(health.ready()));
            management.serve("/", () -> problem(Answer.NOT_FOUND, "Not Found"));
            server.setExecutor(management.threads);
            server.start();
            return management;
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    /** Returns the base URL, for example {@code http://127.0.0.1:8080}. */
    public String url() {
        String literal = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return "http://" + literal + ":" + server.getAddress().getPort();
    }

    private static Answer answer(Health.Report report) {
        ObjectNode body = JSON.createObjectNode().put("status", report.isUp() ? "up" : "down");
        if (!report.isUp()) {
            body.set("failing", JSON.valueToTree(report.failing()));
        }
        if (!report.notes().isEmpty()) {
            body.set("notes", JSON.valueToTree(report.notes()));
        }
        return line(Answer.json(report.isUp() ? Answer.OK : Answer.UNAVAILABLE, body));
    }

    /** Appends a line break to the body of an answer, for people who read the body in a terminal. */
    private static Answer line(Answer answer) {
        return new Answer(answer.status(), answer.type(), answer.body() + "\n", answer.headers());
    }

    private void serve(String path, Supplier<Answer> content) {
        server.createContext(path, exchange -> {
            try (exchange) {
                send(exchange, answer(exchange, path, content));
            }
        });
    }

    private static Answer answer(HttpExchange exchange, String path, Supplier<Answer> content) {
        if (!path.equals(exchange.getRequestURI().getPath())) {
            return problem(Answer.NOT_FOUND, "Not Found");
        }
        if (!METHODS.contains(exchange.getRequestMethod())) {
            return problem(Answer.NO_METHOD, "Method Not Allowed");
        }
        if (hasBody(exchange.getRequestHeaders())) {
            return problem(Answer.TOO_LARGE, "Content Too Large");
        }
        try {
            return content.get();
        } catch (RuntimeException e) {
            log.warn("cannot answer a request for {}; sending status 500", path, e);
            return problem(Answer.DEFECT, "Internal Server Error");
        }
    }

    private static boolean hasBody(Headers headers) {
        String length = headers.getFirst("Content-Length");
        return headers.containsKey("Transfer-Encoding") || (length != null && !length.equals("0"));
    }

    /** Returns problem details with a fixed title. The title contains no part of the request or of the failure. */
    private static Answer problem(int status, String title) {
        return line(Answer.problem(status, title));
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        byte[] body = answer.bytes();
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", answer.type());
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Content-Security-Policy", "default-src 'none'");
        if (answer.status() == Answer.NO_METHOD) {
            headers.set("Allow", String.join(", ", METHODS));
        }
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(answer.status(), -1);
        } else {
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
