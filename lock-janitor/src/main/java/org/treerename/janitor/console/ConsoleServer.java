package org.treerename.janitor.console;

import io.helidon.http.DirectHandler;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.DirectHandler.TransportResponse;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server of the console. It applies limits and adds headers to every response. Each request runs on a virtual thread. */
final class ConsoleServer implements AutoCloseable {

    /**
     * The headers of every response. With them, browsers load scripts and styles only from this server, and parse no
     * text as HTML ({@code require-trusted-types-for}). No other page can embed the console.
     */
    static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                            + " require-trusted-types-for 'script'; trusted-types 'none'",
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Permissions-Policy", "camera=(), geolocation=(), microphone=()",
            "Cache-Control", "no-store");

    /** The maximum number of bytes of all headers of a request. */
    static final int MAX_HEADERS = 16 * 1024;

    /**
     * The maximum number of bytes of the first line of a request. It has room for a query with a path of 4,096 code
     * points of four bytes each.
     */
    static final int MAX_LINE = 64 * 1024;

    private static final int CONNECTIONS = 200;
    private static final int REQUESTS = 100;
    private static final Duration MAX_IDLE = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final int CLIENTS_FAULT = 400;
    private static final int SERVERS_FAULT = 500;
    private static final Logger log = LoggerFactory.getLogger(ConsoleServer.class);

    private final Api api;
    private final WebServer server;
    private final String url;

    private ConsoleServer(Api api, InetSocketAddress address) {
        this.api = api;
        this.server = server(address);
        try {
            server.start();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
        this.url = "http://" + address.getHostString() + ":" + server.port() + Api.HOME;
    }

    /**
     * Opens the server.
     *
     * @param address the address to listen on; port 0 selects a free port
     * @throws IllegalArgumentException if the server cannot listen there
     */
    static ConsoleServer open(Api api, InetSocketAddress address) {
        return new ConsoleServer(api, address);
    }

    private WebServer server(InetSocketAddress address) {
        DirectHandlers.Builder refusals = DirectHandlers.builder();
        Arrays.stream(EventType.values()).forEach(type -> refusals.addHandler(type, ConsoleServer::refused));
        return WebServer.builder()
                .featuresDiscoverServices(false)
                .shutdownHook(false)
                .address(address.getAddress())
                .port(address.getPort())
                .maxPayloadSize(Api.MAX_BODY)
                .maxTcpConnections(CONNECTIONS)
                .maxConcurrentRequests(REQUESTS)
                .idleConnectionTimeout(MAX_IDLE)
                .idleConnectionPeriod(MAX_IDLE.dividedBy(3))
                .connectionOptions(options -> options.readTimeout(MAX_IDLE))
                .shutdownGracePeriod(GRACE)
                .directHandlers(refusals.build())
                .addProtocol(Http1Config.builder()
                        .maxHeadersSize(MAX_HEADERS)
                        .maxPrologueLength(MAX_LINE)
                        .sendKeepAliveHeader(false)
                        .build())
                .routing(routing -> routing.any(this::handle))
                .build();
    }

    /** Returns the response to a request that is malformed or exceeds a limit. */
    private static TransportResponse refused(
            DirectHandler.TransportRequest request,
            EventType type,
            Status status,
            ServerResponseHeaders headers,
            @Nullable String message) {
        int code = status.code() >= CLIENTS_FAULT && status.code() < SERVERS_FAULT ? status.code() : Answer.UNAVAILABLE;
        Answer answer = Answer.problem(code, "The console cannot answer this request");
        TransportResponse.Builder response = TransportResponse.builder()
                .status(Status.create(code))
                .header(HeaderNames.CONTENT_TYPE, answer.type())
                .keepAlive(false)
                .entity(answer.bytes());
        HEADERS.forEach((name, value) -> response.header(HeaderNames.create(name), value));
        return response.build();
    }

    private void handle(ServerRequest request, ServerResponse response) throws InterruptedException {
        String method = request.prologue().method().text();
        Answer answer;
        try {
            byte[] body = body(request);
            answer = body.length > Api.MAX_BODY
                    ? Answer.problem(Answer.TOO_LARGE, "The request is too large")
                    : api.answer(new Api.Call(
                            method,
                            request.prologue().uriPath().rawPath(),
                            request.prologue().query().rawValue(),
                            name -> values(request, HeaderNames.create(name)),
                            new String(body, StandardCharsets.UTF_8)));
        } catch (CloseConnectionException e) {
            throw e;
        } catch (RuntimeException e) {
            log.error("{} {} failed", method, request.prologue().uriPath().rawPath(), e);
            answer = Answer.problem(Answer.DEFECT, "Internal error; see the log of the janitor");
        }
        send(method, response, answer);
    }

    private static List<String> values(ServerRequest request, HeaderName name) {
        return request.headers().contains(name) ? request.headers().get(name).allValues() : List.of();
    }

    private static byte[] body(ServerRequest request) {
        if (!request.content().hasEntity()) {
            return new byte[0];
        }
        try (InputStream in = request.content().inputStream()) {
            return in.readNBytes(Api.MAX_BODY + 1);
        } catch (IOException e) {
            throw new CloseConnectionException("the request body is incomplete", e);
        }
    }

    private static void send(String method, ServerResponse response, Answer answer) {
        response.status(answer.status()).header(HeaderNames.CONTENT_TYPE, answer.type());
        HEADERS.forEach((name, value) -> response.header(HeaderNames.create(name), value));
        answer.headers().forEach((name, value) -> response.header(HeaderNames.create(name), value));
        if (answer.status() == Answer.TOO_LARGE) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        if (method.equals("HEAD") || answer.body().isEmpty()) {
            response.send();
        } else {
            response.send(answer.bytes());
        }
    }

    /** Returns the URL of the console, as in {@code http://127.0.0.1:8080/console/}. */
    String url() {
        return url;
    }

    @Override
    public void close() {
        server.stop();
    }
}
