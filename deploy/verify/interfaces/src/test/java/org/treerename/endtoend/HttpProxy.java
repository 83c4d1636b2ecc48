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
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy before one or more real servers. It sends each request to the next server, and adds headers to the answers. */
final class HttpProxy implements AutoCloseable {

    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> targets;
    private final Map<String, String> headers;
    private final AtomicInteger requests = new AtomicInteger();

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

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void forward(HttpExchange exchange) throws IOException {
        try (exchange) {
            String target = targets.get(requests.getAndIncrement() % targets.size());
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target + exchange.getRequestURI()))
                    .method(
                            exchange.getRequestMethod(),
                            BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
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
            exchange.sendResponseHeaders(
                    response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
            exchange.getResponseBody().write(response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
