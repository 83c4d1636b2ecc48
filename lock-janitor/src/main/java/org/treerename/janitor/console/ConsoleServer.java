package org.treerename.janitor.console;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.http.Answer;
import org.treerename.http.Exchange;
import org.treerename.http.HttpServer;
import org.treerename.http.ServerTls;
import org.treerename.runtime.Time;

/** Runs the HTTP server of the console. Limits the requests, and adds headers to every response. */
final class ConsoleServer implements HttpServer.Site, AutoCloseable {

    /**
     * The headers of every response. With these headers, browsers load scripts and styles only from this server, and
     * parse no text as HTML ({@code require-trusted-types-for}). No other page can embed the console.
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

    /**
     * The maximum number of bytes of the first line of a request. The limit permits a query with a path of 4,096 code
     * points of four bytes each.
     */
    static final int MAX_LINE = 64 * 1024;

    private static final int CONNECTIONS = 200;
    private static final int CONNECTIONS_PER_ADDRESS = 50;
    private static final int REQUESTS = 100;
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final int CLIENTS_FAULT = 400;
    private static final int SERVERS_FAULT = 500;
    private static final Logger log = LoggerFactory.getLogger(ConsoleServer.class);

    private final Api api;
    private final HttpServer server;

    private ConsoleServer(Api api, InetSocketAddress address, @Nullable ServerTls tls, Time time) {
        this.api = api;
        this.server = HttpServer.open(
                address,
                tls,
                new HttpServer.Limits(Api.MAX_BODY, MAX_LINE, CONNECTIONS, CONNECTIONS_PER_ADDRESS, REQUESTS, GRACE),
                this,
                time);
    }

    /**
     * Opens the server.
     *
     * @param address the address to listen on; port 0 selects a free port
     * @param tls null for no TLS
     * @throws IllegalArgumentException if the server cannot listen on the address
     */
    static ConsoleServer open(Api api, InetSocketAddress address, @Nullable ServerTls tls, Time time) {
        return new ConsoleServer(api, address, tls, time);
    }

    @Override
    public Map<String, String> headers() {
        return HEADERS;
    }

    @Override
    public Answer refused(int status, boolean isInternal) {
        int code = status >= CLIENTS_FAULT && status < SERVERS_FAULT ? status : Answer.UNAVAILABLE;
        return Answer.problem(code, "The console cannot answer this request");
    }

    @Override
    public void handle(Exchange exchange) throws InterruptedException {
        byte[] body = exchange.body();
        Answer answer;
        try {
            answer = api.answer(exchange.call(() -> body));
        } catch (RuntimeException e) {
            log.error("{} {} failed", exchange.method(), exchange.path(), e);
            answer = Answer.problem(Answer.DEFECT, "Internal error; see the log of the janitor");
        }
        exchange.send(answer);
    }

    /** Returns the URL of the console, as in {@code http://127.0.0.1:8080/console/}. */
    String url() {
        return server.url() + Api.HOME;
    }

    @Override
    public void close() {
        server.close();
    }
}
