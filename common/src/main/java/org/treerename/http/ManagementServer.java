package org.treerename.http;

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
import org.treerename.runtime.Health;

/**
 * Serves {@code /metrics}, {@code /health/live} and {@code /health/ready} over HTTP. A healthy process is reported as
 * {@code {"status":"up"}} with 200. Otherwise the answer is {@code {"status":"down","failing":{"heartbeat":"…"}}} with
 * 503, which contains the reason of each failed check. Notes are added to both answers: {@code "notes":{"pause":"…"}}.
 *
 * <p>Any other request is answered with 4xx and a problem (RFC 9457). If the JDK's server cannot parse a request, that
 * server sends its own 400, or no answer at all.
 *
 * <p>There is no authentication: the answers contain request topics, process ids and failures of servers, but no
 * secret. A request must arrive within {@value #REQUEST_SECONDS} s, have at most {@value #HEADER_BYTES} bytes of
 * headers, and have no body. There are at most {@value #CONNECTIONS} connections.
 */
public final class ManagementServer implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Logger log = LoggerFactory.getLogger(ManagementServer.class);

    private static final int REQUEST_SECONDS = 5;
    private static final int HEADER_BYTES = 16_384;
    private static final int CONNECTIONS = 100;

    /**
     * The system properties of the JDK's server. The JDK reads them once, before a process creates its first server. A
     * property that is already set is not changed.
     */
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

    private record Response(int status, String type, String body) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private ManagementServer(HttpServer server) {
        this.server = server;
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
            ManagementServer management = new ManagementServer(server);
            management.serve(
                    "/metrics", () -> new Response(OK, "text/plain; version=0.0.4; charset=utf-8", metrics.get()));
            management.serve("/health/live", () -> answer(health.live()));
            management.serve("/health/ready", () -> answer(health.ready()));
            management.serve("/", () -> problem(NOT_FOUND, "Not Found"));
            server.setExecutor(management.threads);
            server.start();
            return management;
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    /** Returns the base URL, for example {@code http://127.0.0.1:8080}. */
    public String url() {
        return "http://" + server.getAddress().getHostString() + ":"
                + server.getAddress().getPort();
    }

    private static Response answer(Health.Report report) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("status", report.isUp() ? "up" : "down");
        if (!report.isUp()) {
            body.put("failing", report.failing());
        }
        if (!report.notes().isEmpty()) {
            body.put("notes", report.notes());
        }
        try {
            return new Response(
                    report.isUp() ? OK : UNAVAILABLE, "application/json", JSON.writeValueAsString(body) + "\n");
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(String path, Supplier<Response> content) {
        server.createContext(path, exchange -> {
            try (exchange) {
                send(exchange, answer(exchange, path, content));
            }
        });
    }

    /** Answers a request that only reads and whose whole path matches. A failure affects only this request. */
    private static Response answer(HttpExchange exchange, String path, Supplier<Response> content) {
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
            return content.get();
        } catch (RuntimeException e) {
            log.warn("cannot answer a request for {}; sending 500", path, e);
            return problem(FAILED, "Internal Server Error");
        }
    }

    private static boolean hasBody(Headers headers) {
        String length = headers.getFirst("Content-Length");
        return headers.containsKey("Transfer-Encoding") || (length != null && !length.equals("0"));
    }

    /** Returns a problem with a fixed text. The text contains no part of the request or of the failure. */
    private static Response problem(int status, String title) {
        return new Response(
                status,
                "application/problem+json",
                "{\"type\":\"about:blank\",\"title\":\"" + title + "\",\"status\":" + status + "}\n");
    }

    private static void send(HttpExchange exchange, Response response) throws IOException {
        byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", response.type());
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Content-Security-Policy", "default-src 'none'");
        if (response.status() == NO_METHOD) {
            headers.set("Allow", String.join(", ", METHODS));
        }
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(response.status(), -1);
        } else {
            exchange.sendResponseHeaders(response.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
