package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.checker.Leftovers;
import org.treerename.checker.LockDump;
import org.treerename.installation.Installation;
import org.treerename.testservers.TestServers;

/** An HTTP client for a real Elasticsearch with one or more nodes. */
final class Elasticsearch {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** The Elasticsearch that most tests share. */
    static final Elasticsearch SHARED = new Elasticsearch(TestServers::elasticsearchUrl, TestServers::elasticsearchUrl);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** The maximum number of hits that Elasticsearch returns for one search. */
    private static final int PAGE = 10_000;

    private final Supplier<String> url;
    private final Supplier<String> urls;

    /** The value of the Authorization header; empty if the server requires no authentication. */
    private final String authorization;

    private final HttpClient http;
    private final Installation installation;

    /**
     * Creates a client of several nodes.
     *
     * @param url returns the URL of the node that receives a request; the client calls this function for each request
     * @param urls returns the URLs of all nodes, separated by commas, for the services
     */
    Elasticsearch(Supplier<String> url, Supplier<String> urls) {
        this(url, urls, "", HTTP, Installation.DEFAULT);
    }

    private Elasticsearch(
            Supplier<String> url,
            Supplier<String> urls,
            String authorization,
            HttpClient http,
            Installation installation) {
        this.url = url;
        this.urls = urls;
        this.authorization = authorization;
        this.http = http;
        this.installation = installation;
    }

    /** Returns a client of the same nodes. The client reads the control index of another installation. */
    Elasticsearch in(Installation other) {
        return new Elasticsearch(url, urls, authorization, http, other);
    }

    Installation installation() {
        return installation;
    }

    /** Returns a client of the same nodes. The client uses TLS. */
    Elasticsearch over(SSLContext tls) {
        return new Elasticsearch(
                url,
                urls,
                authorization,
                HttpClient.newBuilder().sslContext(tls).build(),
                installation);
    }

    /**
     * Returns a client of the same nodes. The client authenticates as this user. The services do not use this login.
     */
    Elasticsearch as(String user, String password) {
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return new Elasticsearch(url, urls, "Basic " + Base64.getEncoder().encodeToString(both), http, installation);
    }

    /** Returns a client of one node. */
    static Elasticsearch at(String url) {
        return new Elasticsearch(() -> url, () -> url);
    }

    String url() {
        return url.get();
    }

    String urls() {
        return urls.get();
    }

    JsonNode get(String path) {
        return send("GET", path, "");
    }

    JsonNode put(String path, String body) {
        return send("PUT", path, body);
    }

    JsonNode post(String path, String body) {
        return send("POST", path, body);
    }

    /** Sends a request. Returns the response as JSON, even if the status is an error. */
    JsonNode send(String method, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path))
                .timeout(PATIENCE)
                .header("Content-Type", path.contains("_bulk") ? "application/x-ndjson" : "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns all documents of an index. */
    List<JsonNode> all(String index) {
        return all(index, "{\"match_all\":{}}");
    }

    private List<JsonNode> all(String index, String query) {
        post("/" + index + "/_refresh", "");
        String pointInTime =
                "{\"id\":" + post("/" + index + "/_pit?keep_alive=1m", "").path("id") + "}";
        String first = "{\"size\":" + PAGE + ",\"pit\":" + pointInTime + ",\"query\":" + query
                + ",\"sort\":[{\"_shard_doc\":\"asc\"}],\"track_total_hits\":false,\"seq_no_primary_term\":true,"
                + "\"version\":true";
        List<JsonNode> hits = new ArrayList<>();
        try {
            JsonNode page = post("/_search", first + "}").path("hits").path("hits");
            page.forEach(hits::add);
            while (page.size() == PAGE) {
                String after = ",\"search_after\":" + page.path(PAGE - 1).path("sort") + "}";
                page = post("/_search", first + after).path("hits").path("hits");
                page.forEach(hits::add);
            }
        } finally {
            send("DELETE", "/_pit", pointInTime);
        }
        return hits;
    }

    /** Blocks until these namespaces have no hold, no claim and no open journal entry. */
    void assertNothingLeft(Set<String> namespaces) {
        try (ElasticsearchHttp asked = new ElasticsearchHttp(url(), installation)) {
            Awaitility.await("nothing is left in " + namespaces)
                    .atMost(Log.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(Leftovers.read(asked, namespaces).found())
                                    .isEmpty());
        }
    }

    /** Returns all holds and claims. */
    LockDump locks() {
        try (ElasticsearchHttp asked = new ElasticsearchHttp(url(), installation)) {
            return LockDump.read(asked);
        }
    }

    /** Returns the documents of one kind in the control index. */
    List<JsonNode> control(String kind) {
        return all(installation.controlIndex(), "{\"term\":{\"kind\":\"" + kind + "\"}}").stream()
                .map(hit -> hit.path("_source"))
                .toList();
    }

    Optional<JsonNode> entry(String requestId) {
        JsonNode found = post("/" + installation.controlIndex() + "/_mget", "{\"ids\":[\"rename:" + requestId + "\"]}");
        JsonNode document = found.path("docs").path(0);
        return document.path("found").asBoolean() ? Optional.of(document.path("_source")) : Optional.empty();
    }
}
