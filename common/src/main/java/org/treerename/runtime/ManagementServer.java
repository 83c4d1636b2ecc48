package org.treerename.runtime;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a process tells over HTTP: {@code /metrics}, {@code /health/live} and {@code /health/ready}. A health is told as
 * {@code {"status":"up"}} with 200, or as {@code {"status":"down","failing":{"heartbeat":"…"}}}, each failing check with the
 * reason, with 503. What else is to be known stands beside it: {@code "notes":{"pause":"…"}}.
 *
 * <p>Whatever is no such request is answered with 4xx and a problem (RFC 9457), or, where it is no HTTP that the
 * JDK's server reads, by that server's own 400 or not at all.
 *
 * <p>Nobody is asked who asks: what is told names request topics, process ids and failures of servers, no secret. A request is
 * to come within {@value #REQUEST_SECONDS} s, of {@value #HEADER_BYTES} bytes at most and without a body, on one of
 * {@value #CONNECTIONS} connections.
 */
public final class ManagementServer implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Logger log = LoggerFactory.getLogger(ManagementServer.class);

    private static final int REQUEST_SECONDS = 5;
    private static final int HEADER_BYTES = 16_384;
    private static final int CONNECTIONS = 100;

    /** As the JDK's server reads them, once, before the first one of a process is made; what somebody has set stays. */
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
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NO_METHOD = 405;
    private static final int TOO_LARGE = 413;
    private static final int FAILED = 500;
    private static final int UNAVAILABLE = 503;

    /** What is told. */
    private record Answer(int status, String type, String body) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private ManagementServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Opens it.
     *
     * @param address its port may be 0 for any that is free
     * @param metrics in Prometheus' text format
     * @throws IllegalArgumentException if nothing can listen there
     */
    public static ManagementServer open(InetSocketAddress address, Supplier<String> metrics, Health health) {
        try {
            HttpServer server = HttpServer.create(address, 0);
            ManagementServer door = new ManagementServer(server);
            door.tell("/metrics", () -> new Answer(OK, "text/plain; version=0.0.4; charset=utf-8", metrics.get()));
            door.tell("/health/live", () -> answer(health.live()));
            door.tell("/health/ready", () -> answer(health.ready()));
            door.tell("/", () -> problem(NOT_FOUND, "Not Found"));
            server.setExecutor(door.threads);
            server.start();
            return door;
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    /** Where it is, as in {@code http://127.0.0.1:8080}. */
    public String url() {
        return "http://" + server.getAddress().getHostString() + ":"
                + server.getAddress().getPort();
    }

    private static Answer answer(Health.Report report) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("status", report.isUp() ? "up" : "down");
        if (!report.isUp()) {
            body.put("failing", report.failing());
        }
        if (!report.notes().isEmpty()) {
            body.put("notes", report.notes());
        }
        try {
            return new Answer(
                    report.isUp() ? OK : UNAVAILABLE, "application/json", JSON.writeValueAsString(body) + "\n");
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void tell(String path, Supplier<Answer> told) {
        server.createContext(path, exchange -> {
            try (exchange) {
                send(exchange, answer(exchange, path, told));
            }
        });
    }

    /** Only what is asked for by its whole path, and only read. A failure is the one request's. */
    private static Answer answer(HttpExchange exchange, String path, Supplier<Answer> told) {
        if (!path.equals(exchange.getRequestURI().getPath())) {
            return problem(NOT_FOUND, "Not Found");
        }
        if (!METHODS.contains(exchange.getRequestMethod())) {
            return problem(NO_METHOD, "Method Not Allowed");
        }
        if (hasBody(exchange.getRequestHeaders())) {
            return problem(TOO_LARGE, "Content Too Large");
        }
        try {
            return told.get();
        } catch (RuntimeException e) {
            log.warn("{} could not be told", path, e);
            return problem(FAILED, "Internal Server Error");
        }
    }

    private static boolean hasBody(Headers headers) {
        String length = headers.getFirst("Content-Length");
        return headers.containsKey("Transfer-Encoding") || (length != null && !length.equals("0"));
    }

    /** In words of ours alone: nothing of the request, and nothing of what failed. */
    private static Answer problem(int status, String title) {
        return new Answer(
                status,
                "application/problem+json",
                "{\"type\":\"about:blank\",\"title\":\"" + title + "\",\"status\":" + status + "}\n");
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", answer.type());
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Content-Security-Policy", "default-src 'none'");
        if (answer.status() == NO_METHOD) {
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
