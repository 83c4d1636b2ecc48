package org.treerename.producer.http;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.treerename.request.ParsedRequest.RenameRequest;

/** Sends the requests of callers to Kafka. */
interface Requests {

    String newRequestId();

    /**
     * Sends a request. The future completes when Kafka has stored the request. The future fails if it is unknown
     * whether Kafka has stored the request.
     */
    CompletableFuture<Void> publish(RenameRequest request, List<String> after);
}
