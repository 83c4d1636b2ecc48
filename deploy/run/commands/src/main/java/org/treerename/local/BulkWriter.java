package org.treerename.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.treerename.checker.ElasticsearchHttp;

/**
 * Writes new documents in bulk requests. The caller chooses the id of each document, so this class can repeat a bulk
 * request that got no answer. A conflict means that Elasticsearch has already written the document, so a conflict
 * counts as success. {@link #flush} writes all documents that are not written yet. Only one thread calls this class.
 */
final class BulkWriter {

    private static final int MAX_ITEMS = 1_000;
    private static final int MAX_BYTES = 4 * 1024 * 1024;
    private static final int TRIES = 6;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;

    private final ElasticsearchHttp http;
    private final String index;
    private final Retry retry = Retry.of(
            "bulk",
            RetryConfig.custom()
                    .maxAttempts(TRIES)
                    .intervalFunction(IntervalFunction.ofExponentialRandomBackoff(FIRST_PAUSE, 2.0))
                    .retryExceptions(UncheckedIOException.class, BusyException.class)
                    .build());
    private final List<byte[]> items = new ArrayList<>();
    private long bytes;

    /** Elasticsearch is too busy for a request or for some of its documents, which are sent again later. */
    private static final class BusyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BusyException(String message) {
            super(message);
        }
    }

    BulkWriter(ElasticsearchHttp http, String index) {
        this.http = http;
        this.index = index;
    }

    void create(String id, JsonNode document) {
        ObjectNode action = ElasticsearchHttp.MAPPER.createObjectNode();
        action.putObject("create").put("_id", id);
        byte[] item = lines(action, document);
        items.add(item);
        bytes += item.length;
        if (items.size() >= MAX_ITEMS || bytes >= MAX_BYTES) {
            flush();
        }
    }

    private static byte[] lines(JsonNode action, JsonNode document) {
        try {
            ByteArrayOutputStream lines = new ByteArrayOutputStream();
            for (JsonNode line : List.of(action, document)) {
                lines.write(ElasticsearchHttp.MAPPER.writeValueAsBytes(line));
                lines.write('\n');
            }
            return lines.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write a document as JSON", e);
        }
    }

    void flush() {
        retry.executeRunnable(this::send);
    }

    /** Keeps only the documents for which Elasticsearch was too busy. */
    private void send() {
        if (items.isEmpty()) {
            return;
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        items.forEach(body::writeBytes);
        ElasticsearchHttp.Answer answer = http.postLines(index + "/_bulk", body.toByteArray());
        if (isBusy(answer.status())) {
            throw new BusyException("Elasticsearch answered " + answer.status() + ": " + answer.text());
        }
        List<byte[]> left = new ArrayList<>();
        String reason = "";
        JsonNode results = answer.json().required("items");
        for (int i = 0; i < results.size(); i++) {
            JsonNode result = results.get(i).required("create");
            int status = result.required("status").asInt();
            if (isBusy(status)) {
                left.add(items.get(i));
                reason = result.path("error").path("reason").asText();
            } else if (status >= 300 && status != CONFLICT) {
                throw new IllegalStateException("Elasticsearch refused a document: " + result);
            }
        }
        items.clear();
        items.addAll(left);
        bytes = left.stream().mapToLong(item -> item.length).sum();
        if (!left.isEmpty()) {
            throw new BusyException("documents that Elasticsearch could not write now: " + left.size()
                    + "; the last reason: " + reason);
        }
    }

    private static boolean isBusy(int status) {
        return status == TOO_MANY || status >= 500;
    }
}
