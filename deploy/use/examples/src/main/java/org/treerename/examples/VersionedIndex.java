package org.treerename.examples;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Writes documents with the versions of the database into an index. Elasticsearch refuses a change whose version is not
 * higher than the version of the document.
 */
final class VersionedIndex {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;

    VersionedIndex(String url) {
        this.url = url;
    }

    void put(long entry, String document, long version) throws IOException, InterruptedException {
        write("PUT", entry, version, BodyPublishers.ofString(document));
    }

    void delete(long entry, long version) throws IOException, InterruptedException {
        write("DELETE", entry, version, BodyPublishers.noBody());
    }

    /**
     * A conflict shows that the change is already in the index: an earlier publisher wrote the change, and died before
     * it marked the change as done. For a delete, a missing document has the same cause. A missing index is an error.
     */
    private void write(String method, long entry, long version, BodyPublisher body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(url + "/_doc/" + entry + "?version_type=external&version=" + version))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .method(method, body)
                .build();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        int status = response.statusCode();
        boolean isGone = status == NOT_FOUND && response.body().contains("\"result\":\"not_found\"");
        if (status >= 300 && status != CONFLICT && !isGone) {
            throw new IOException(method + " of document " + entry + ": expected a status below 300, was " + status
                    + ": " + response.body());
        }
    }
}
