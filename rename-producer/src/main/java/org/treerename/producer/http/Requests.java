package org.treerename.producer.http;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.treerename.rename.ParsedRequest.RenameRequest;

/** Sends requests. Any thread may call it. */
interface Requests {

    String newRequestId();

    /** Sends a request. The future completes when the request is stored safely, and fails if that is unknown. */
    CompletableFuture<Void> publish(RenameRequest request, List<String> after);
}
