package org.treerename.producer.http;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.treerename.rename.ParsedRequest.RenameRequest;

/** Where requests go. Any thread may call it. */
interface Requests {

    String newRequestId();

    /** Ends when the request is kept safely, or exceptionally where that is not known. */
    CompletableFuture<Void> publish(RenameRequest request, List<String> after);
}
