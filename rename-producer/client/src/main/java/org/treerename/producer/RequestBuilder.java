package org.treerename.producer;

import org.jspecify.annotations.Nullable;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;

/**
 * Builds a request. {@link RenameClient#rename} returns a builder with a new request id. Only one thread may use a
 * builder.
 *
 * <p>By default, the rename fails if the destination exists.
 */
public final class RequestBuilder {

    private final String namespace;
    private final String source;
    private final String destination;
    private String requestId;
    private OnExisting onExisting = OnExisting.FAIL;
    private @Nullable String requestedBy;
    private @Nullable Long version;

    /**
     * Sets the values that have no default. {@link RenameClient#rename} calls this constructor with a new request id.
     */
    public RequestBuilder(String requestId, String namespace, String source, String destination) {
        this.requestId = requestId;
        this.namespace = namespace;
        this.source = source;
        this.destination = destination;
    }

    /**
     * Sets the request id: 1 to 200 bytes of UTF-8 without control characters. A request that is sent several times
     * under this id is processed once.
     */
    public RequestBuilder requestId(String id) {
        requestId = id;
        return this;
    }

    /** Allows a file to replace a file, and a directory to replace an empty directory. */
    public RequestBuilder replace() {
        onExisting = OnExisting.REPLACE;
        return this;
    }

    /** Sets a free text of up to 1,000 code points. The outcome contains this text. */
    public RequestBuilder requestedBy(String text) {
        requestedBy = text;
        return this;
    }

    /**
     * Sets the version with which the rename writes documents, if another system assigns the versions of documents. The
     * version must be at least 1.
     */
    public RequestBuilder version(long number) {
        version = number;
        return this;
    }

    /**
     * Returns the request.
     *
     * @throws IllegalArgumentException if the version is less than 1
     */
    public RenameRequest build() {
        RenameRequest request = new RenameRequest(requestId, namespace, source, destination, onExisting, requestedBy);
        return version == null ? request : request.withVersion(version);
    }
}
