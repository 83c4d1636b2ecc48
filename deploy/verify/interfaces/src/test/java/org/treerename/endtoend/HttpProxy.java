package org.treerename.endtoend;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.treerename.elastic.VersionSupport;

/**
 * A proxy in front of one or more real servers. The proxy sends requests to the servers in turn, and adds headers to
 * the answers. The proxy can behave as an older version of Elasticsearch.
 */
final class HttpProxy implements AutoCloseable {

    private static final String REFUSAL =
            "{\"error\":{\"type\":\"parsing_exception\",\"reason\":\"unknown key [exclude_vectors]\"},\"status\":400}";

    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> targets;
    private final Map<String, String> headers;
    private final AtomicInteger requests = new AtomicInteger();

    /** The version that replaces the real version in answers; empty if answers keep the real version. */
    private volatile String version = "";

    private HttpProxy(HttpServer server, List<String> targets, Map<String, String> headers) {
        this.server = server;
        this.targets = targets;
        this.headers = headers;
    }

    /**
     * Starts a proxy.
     *
     * @param headers the headers that the proxy adds
     */
    static HttpProxy to(Map<String, String> headers, String... targets) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            HttpProxy proxy = new HttpProxy(server, List.of(targets), headers);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/", proxy::forward);
            server.start();
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Behaves as this version of Elasticsearch, which must be older than 9.2. The answers contain the version, and the
     * proxy refuses requests with {@code exclude_vectors}. With an empty version, the proxy changes no version and
     * refuses no request.
     */
    void behaveAs(String older) {
        version = older;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void forward(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (!version.isEmpty() && (exchange.getRequestURI() + text(body)).contains("exclude_vectors")) {
                answer(exchange, 400, REFUSAL.getBytes(StandardCharsets.UTF_8));
                return;
            }
            String target = targets.get(requests.getAndIncrement() % targets.size());
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target + exchange.getRequestURI()))
                    .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
            String type = exchange.getRequestHeaders().getFirst("Content-Type");
            if (type != null) {
                request.header("Content-Type", type);
            }
            HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
            response.headers().map().forEach((name, values) -> {
                if (!name.equalsIgnoreCase("content-length") && !name.equalsIgnoreCase("transfer-encoding")) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            headers.forEach(exchange.getResponseHeaders()::set);
            boolean hasVersion =
                    !version.isEmpty() && exchange.getRequestURI().toString().contains("version");
            answer(
                    exchange,
                    response.statusCode(),
                    hasVersion
                            ? text(response.body())
                                    .replace(VersionSupport.TESTED, version)
                                    .getBytes(StandardCharsets.UTF_8)
                            : response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
