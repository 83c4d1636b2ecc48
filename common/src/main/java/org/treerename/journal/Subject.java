package org.treerename.journal;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.request.ParsedRequest;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;

/** The subject of an entry: a delivered rename, the hold of a writer, or a request that has not been delivered yet. */
public sealed interface Subject {

    /**
     * Returns the digest of the content of the request. Two deliveries with the same request id and different digests
     * belong to different requests.
     */
    String digest();

    /** Returns the position of the first record; {@link RecordPosition#NOWHERE} if there is no record. */
    default RecordPosition place() {
        return RecordPosition.NOWHERE;
    }

    /** Returns the name of the namespace; empty if the entry names none. */
    default Optional<String> namespace() {
        return Optional.empty();
    }

    /** Returns the locks that the request or the writer needs; empty if the subject contains no valid paths. */
    default Optional<LockSet> lockSet(LockPolicy policy) {
        return Optional.empty();
    }

    /**
     * A delivered rename.
     *
     * @param asked the request. An entry does not store the reason why a request is invalid
     */
    record Delivered(ParsedRequest asked, String digest, RecordPosition place) implements Subject {

        public Delivered {
            if (asked instanceof InvalidRequest invalid) {
                asked = invalid(invalid.requestId(), invalid.requestedBy());
            }
        }

        /** Returns the form in which an entry stores an invalid request. */
        static InvalidRequest invalid(String requestId, @Nullable String requestedBy) {
            return new InvalidRequest(requestId, requestedBy, "the request was invalid");
        }

        Optional<RenameRequest> request() {
            return asked instanceof RenameRequest request ? Optional.of(request) : Optional.empty();
        }

        @Override
        public Optional<String> namespace() {
            return request().map(RenameRequest::namespace);
        }

        @Override
        public Optional<LockSet> lockSet(LockPolicy policy) {
            return request().flatMap(request -> request.lockSet(policy));
        }
    }

    /** The hold of a writer. No request in the log has the digest of a writer. */
    record Writes(WriteTarget target, String digest) implements Subject {

        Writes(WriteTarget target) {
            this(target, "write");
        }

        @Override
        public Optional<String> namespace() {
            return Optional.of(target.namespace());
        }

        @Override
        public Optional<LockSet> lockSet(LockPolicy policy) {
            return target.lockSet(policy);
        }
    }

    /** A placeholder for a request that has a hold or a claim, but no entry. */
    record Unknown() implements Subject {
        @Override
        public String digest() {
            return "";
        }
    }
}
