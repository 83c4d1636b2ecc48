package org.treerename.simulation.elasticsearch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** An HTTP client that writes to the Elasticsearch of the tests without the code of the product. */
final class RawElasticsearch {

    private static final int CONFLICT = 409;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final String url;

    RawElasticsearch(String url) {
        this.url = url;
    }

    void createTreeIndex(String name, int shards) {
        var unused = send(name, """
                {"settings": {"number_of_shards": %d, "number_of_replicas": 0, "refresh_interval": "-1"},
                 "mappings": {"dynamic": false, "properties": {
                   "path": {"type": "keyword"}, "parent": {"type": "keyword"}, "name": {"type": "keyword"},
                   "type": {"type": "keyword"}}}}
                """.formatted(shards));
    }

    /**
     * Writes a document with an external version. Returns false if the stored document already has this version or a
     * higher version.
     */
    boolean put(String index, String id, String source, long version) {
        return send(index + "/_doc/" + id + "?version_type=external&version=" + version, source);
    }

    /** Sends a PUT request. Returns false for the status 409. */
    private boolean send(String path, String body) {
        try {
            HttpResponse<String> response = CLIENT.send(
                    HttpRequest.newBuilder(URI.create(url + "/" + path))
                            .header("Content-Type", "application/json")
                            .PUT(BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
            if (response.statusCode() >= 300 && response.statusCode() != CONFLICT) {
                throw new IllegalStateException("expected a status below 300 of " + path + ", found "
                        + response.statusCode() + ": " + response.body());
            }
            return response.statusCode() != CONFLICT;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
