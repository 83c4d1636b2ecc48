package org.treerename.elastic;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * A node that answers requests as the test defines, each request on a separate thread. Tests use this node for answers
 * that a real node cannot give on demand.
 */
final class StubNode implements AutoCloseable {

    /**
     * One request.
     *
     * @param query the text after the question mark; empty if there is none
     */
    record Request(String method, String path, String query, String body) {}

    record Answer(int status, String json) {}

    /** Makes the node close the connection without an answer. */
    static final Answer NONE = new Answer(0, "");

    private final HttpServer server;

    private StubNode(HttpServer server) {
        this.server = server;
    }

    static StubNode answering(Function<Request, Answer> answers) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/", exchange -> answer(exchange, answers));
            server.start();
            return new StubNode(server);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void answer(HttpExchange exchange, Function<Request, Answer> answers) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Answer answer = answers.apply(new Request(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getPath(),
                Objects.requireNonNullElse(exchange.getRequestURI().getQuery(), ""),
                body));
        if (answer.equals(NONE)) {
            exchange.close();
            return;
        }
        byte[] bytes = answer.json().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(answer.status(), bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
