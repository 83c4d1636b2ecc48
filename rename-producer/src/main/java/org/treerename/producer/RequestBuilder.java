package org.treerename.producer;

import org.jspecify.annotations.Nullable;
import org.treerename.rename.OnExisting;
import org.treerename.rename.ParsedRequest.RenameRequest;

/**
 * A request, part by part; {@link RenameProducer#rename} begins one. For one thread.
 *
 * <p>What is not said: the namespace is {@value #NAMESPACE}, the id a new one, nothing is replaced.
 */
public final class RequestBuilder {

    /** The namespace of a request that names none. */
    public static final String NAMESPACE = "files";

    private final String source;
    private final String destination;
    private String requestId;
    private String namespace = NAMESPACE;
    private OnExisting onExisting = OnExisting.FAIL;
    private @Nullable String requestedBy;
    private @Nullable Long version;

    RequestBuilder(String requestId, String source, String destination) {
        this.requestId = requestId;
        this.source = source;
        this.destination = destination;
    }

    /** 1 to 200 bytes of UTF-8 without control characters; whoever sends it again under this id asks for the same. */
    public RequestBuilder requestId(String id) {
        requestId = id;
        return this;
    }

    public RequestBuilder namespace(String name) {
        namespace = name;
        return this;
    }

    /** A file may replace a file, a directory an empty directory. */
    public RequestBuilder replace() {
        onExisting = OnExisting.REPLACE;
        return this;
    }

    /** Free text of up to 1,000 code points, given back with the outcome. */
    public RequestBuilder requestedBy(String text) {
        requestedBy = text;
        return this;
    }

    /** In which documents are written whose versions another system gives; at least 1. */
    public RequestBuilder version(long number) {
        version = number;
        return this;
    }

    /**
     * The request.
     *
     * @throws IllegalArgumentException if the version is none
     */
    public RenameRequest build() {
        RenameRequest request = new RenameRequest(requestId, namespace, source, destination, onExisting, requestedBy);
        return version == null ? request : request.withVersion(version);
    }
}
