package org.treerename.endtoend;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.treerename.testservers.TestServers;

/** A proxy between a worker and Elasticsearch. The proxy keeps some requests until the test releases them. */
final class LateProxy implements AutoCloseable {

    /** A request as the worker sent it. */
    record Sent(String method, String uri, String type, String body) {}

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<Sent> kept = new ConcurrentLinkedQueue<>();
    private final Predicate<Sent> late;
    private final HttpServer server;

    private LateProxy(HttpServer server, Predicate<Sent> late) {
        this.server = server;
        this.late = late;
    }

    static LateProxy start(Predicate<Sent> late) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        LateProxy proxy = new LateProxy(server, late);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", proxy::handle);
        server.start();
        return proxy;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Returns the number of requests that the proxy keeps now. */
    int kept() {
        return kept.size();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Sent sent = new Sent(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                type == null ? "application/json" : type,
                body);
        if (late.test(sent)) {
            kept.add(sent); // no answer: the client waits until its process dies
            return;
        }
        HttpResponse<byte[]> answer = forward(sent);
        answer.headers()
                .firstValue("content-type")
                .ifPresent(value -> exchange.getResponseHeaders().set("Content-Type", value));
        exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(answer.body());
        }
    }

    /**
     * Sends all kept requests to Elasticsearch. Returns the bodies of the answers as one text, in the order of the
     * requests.
     */
    String release() throws IOException {
        StringBuilder answers = new StringBuilder();
        for (Sent sent = kept.poll(); sent != null; sent = kept.poll()) {
            answers.append(new String(forward(sent).body(), StandardCharsets.UTF_8));
        }
        return answers.toString();
    }

    private HttpResponse<byte[]> forward(Sent sent) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(TestServers.elasticsearchUrl() + sent.uri()))
                .header("Content-Type", sent.type())
                .method(
                        sent.method(),
                        sent.body().isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(sent.body()))
                .build();
        try {
            return client.send(request, BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        client.close();
    }
}
