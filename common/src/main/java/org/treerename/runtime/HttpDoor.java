package org.treerename.runtime;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * What a process tells over HTTP: {@code /metrics}, {@code /health/live} and {@code /health/ready}. A health is told as
 * {@code {"status":"up"}} with 200, or as {@code {"status":"down","failing":{"heartbeat":"…"}}}, each failing check with the
 * reason, with 503. What else is to be known stands beside it: {@code "notes":{"pause":"…"}}.
 */
public final class HttpDoor implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NO_METHOD = 405;
    private static final int FAILED = 500;
    private static final int UNAVAILABLE = 503;

    /** What is told. */
    private record Answer(int status, String type, String body) {}

    private final HttpServer server;

    private HttpDoor(HttpServer server) {
        this.server = server;
    }

    /**
     * Opens it.
     *
     * @param address its port may be 0 for any that is free
     * @param metrics in Prometheus' text format
     * @throws IllegalArgumentException if nothing can listen there
     */
    public static HttpDoor open(InetSocketAddress address, Supplier<String> metrics, Health health) {
        try {
            HttpServer server = HttpServer.create(address, 0);
            HttpDoor door = new HttpDoor(server);
            door.tell("/metrics", () -> new Answer(OK, "text/plain; version=0.0.4; charset=utf-8", metrics.get()));
            door.tell("/health/live", () -> answer(health.live()));
            door.tell("/health/ready", () -> answer(health.ready()));
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
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
        if (!exchange.getRequestURI().getPath().equals(path)) {
            return plain(NOT_FOUND, "nothing is here");
        }
        if (!exchange.getRequestMethod().equals("GET")
                && !exchange.getRequestMethod().equals("HEAD")) {
            return plain(NO_METHOD, "GET only");
        }
        try {
            return told.get();
        } catch (RuntimeException e) {
            return plain(FAILED, e.toString());
        }
    }

    private static Answer plain(int status, String words) {
        return new Answer(status, "text/plain; charset=utf-8", words + "\n");
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", answer.type());
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
    }
}
