package org.treerename.producer.cli.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.ResultJson;
import org.treerename.store.NoAnswerException;

/** Sends requests to a gateway. */
public final class GatewayClient implements AutoCloseable {

    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** Longer than the gateway itself waits for Kafka and Elasticsearch. */
    private static final Duration ANSWER = Duration.ofSeconds(90);

    private final String url;
    private final @Nullable String token;
    private final HttpClient http;

    private GatewayClient(String url, @Nullable String token, HttpClient http) {
        this.url = url;
        this.token = token;
        this.http = http;
    }

    /**
     * Creates a client. The client connects when it sends its first request.
     *
     * @param allowPlainToken whether the token may reach another machine without TLS
     * @param tls the trusted authorities; null for the authorities that the Java virtual machine trusts
     * @throws IllegalArgumentException if the URL is invalid
     */
    static GatewayClient connect(
            String url, @Nullable String token, boolean allowPlainToken, @Nullable SSLContext tls) {
        HttpClient.Builder http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT);
        if (tls != null) {
            http.sslContext(tls);
        }
        if (token != null && token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException(
                    "expected a token of printable ASCII characters without spaces, found another character");
        }
        GatewayClient client = new GatewayClient(checked(url), token, http.build());
        if (token != null && !allowPlainToken) {
            requireProtected(URI.create(url));
        }
        return client;
    }

    /** Throws if a token for this address would cross a network without TLS. Asks no name server. */
    private static void requireProtected(URI url) {
        boolean isHere = url.getHost().equalsIgnoreCase("localhost")
                || url.getHost().equals("[::1]")
                || url.getHost().matches("127(\\.\\d{1,3}){3}");
        if (url.getScheme().equalsIgnoreCase("http") && !isHere) {
            throw new IllegalArgumentException("expected --server to be an https URL, because everyone on the network"
                    + " could read the token, found " + url.getScheme() + "://" + url.getHost()
                    + "; if only trusted machines are on this network, give --allow-plain-token");
        }
    }

    private static String checked(String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw notAUrl(url);
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        boolean isHttp = scheme.equals("https") || scheme.equals("http");
        if (!isHttp || uri.getHost() == null || uri.getRawQuery() != null || uri.getRawUserInfo() != null) {
            throw notAUrl(url);
        }
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private static IllegalArgumentException notAUrl(String url) {
        // the part of the URL before @ may contain a password, and the query may contain a token
        boolean mayHaveSecret = url.indexOf('@') >= 0 || url.indexOf('?') >= 0;
        return new IllegalArgumentException("expected --server to be a URL such as https://renames.example.com, found "
                + (mayHaveSecret ? "a URL with a user or a query" : url));
    }

    public String url() {
        return url;
    }

    /** Encodes a text as one segment of the path of a URL, or as a value in the query of a URL. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public GatewayAnswer get(String path) {
        return send("GET", path, to(path).timeout(ANSWER).GET());
    }

    public GatewayAnswer delete(String path) {
        return send("DELETE", path, to(path).timeout(ANSWER).DELETE());
    }

    public GatewayAnswer post(String path, ObjectNode body) {
        return send(
                "POST",
                path,
                to(path).timeout(ANSWER)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body.toString())));
    }

    /**
     * Reads server-sent events until the stream ends, or until {@code more} returns false.
     *
     * @param more receives the name and the data of each event
     * @return the answer of the gateway; a problem if the gateway refuses to send events
     */
    public GatewayAnswer events(String path, BiPredicate<String, String> more) {
        HttpResponse<Stream<String>> response = response(
                to(path).timeout(ANSWER).header("Accept", "text/event-stream").GET(), BodyHandlers.ofLines());
        try (Stream<String> lines = response.body()) {
            if (response.statusCode() != 200) {
                return answer("GET " + path, response, String.join("\n", lines.toList()));
            }
            String name = "";
            for (String line : (Iterable<String>) lines::iterator) {
                if (line.startsWith("event:")) {
                    name = line.substring("event:".length()).strip();
                } else if (line.startsWith("data:")
                        && !more.test(name, line.substring("data:".length()).strip())) {
                    break;
                }
            }
            return answer("GET " + path, response, "{}");
        } catch (UncheckedIOException e) {
            throw noAnswer(e.getCause());
        }
    }

    private HttpRequest.Builder to(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return request;
    }

    private GatewayAnswer send(String method, String path, HttpRequest.Builder request) {
        HttpResponse<String> response = response(request, BodyHandlers.ofString());
        return answer(method + " " + path, response, response.body());
    }

    private <T> HttpResponse<T> response(HttpRequest.Builder request, HttpResponse.BodyHandler<T> body) {
        try {
            return http.send(request.build(), body);
        } catch (IOException e) {
            throw noAnswer(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("interrupted while waiting for the gateway " + url, e);
        }
    }

    private NoAnswerException noAnswer(@Nullable IOException failure) {
        String why = failure == null || failure.getMessage() == null
                ? String.valueOf(failure == null ? null : failure.getClass().getSimpleName())
                : failure.getMessage();
        String what = failure instanceof SSLException
                ? "; check --ca-file, and the name in the certificate of the gateway"
                : "; check --server, and whether the gateway runs";
        return new NoAnswerException("the gateway " + url + " does not answer: " + why + what, failure);
    }

    private GatewayAnswer answer(String request, HttpResponse<?> response, String body) {
        long seconds = response.headers().firstValue("Retry-After").stream()
                .filter(value -> value.matches("[0-9]{1,4}"))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(1);
        return new GatewayAnswer(
                url, request.split("\\?", 2)[0], response.statusCode(), parsed(body), Duration.ofSeconds(seconds));
    }

    /** Returns the JSON value of a text; a missing node if the text is not JSON. */
    public static JsonNode parsed(String text) {
        try {
            return ResultJson.read(text);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    /** Aborts all requests in progress. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
