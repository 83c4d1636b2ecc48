package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.http.Answer;
import org.treerename.http.Call;
import org.treerename.http.Caller;
import org.treerename.http.Right;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.overview.OwnedEntry;
import org.treerename.producer.http.WaitingRequests.Queued;
import org.treerename.request.RequestIds;
import org.treerename.store.NoAnswerException;

/** Finds renames in the journal. A search for a single rename also includes the waiting requests. */
final class RenameLookup {

    private static final Logger log = LoggerFactory.getLogger(RenameLookup.class);

    private final Renames renames;
    private final WaitingRequests waiting;

    RenameLookup(Renames renames, WaitingRequests waiting) {
        this.renames = renames;
        this.waiting = waiting;
    }

    /**
     * Returns a rename as a JSON object.
     *
     * @throws ProblemException if the request is neither in the journal nor in the request topic, or if the caller may
     *     not read the request. The answer is the same in these cases, so it does not show which ids exist
     */
    ObjectNode show(String id, Caller caller) {
        return known(id, caller).orElseGet(() -> queued(id, caller));
    }

    /**
     * Returns the renames with the ids in the body. Omits ids without a journal entry, and renames that the caller may
     * not read.
     *
     * @param more counts the ids after the first one
     */
    Answer showAll(Call call, Caller caller, IntConsumer more) {
        Set<String> ids = new LinkedHashSet<>();
        JsonNode given = Body.array(call.body().get(), "request_ids");
        more.accept(given.size() - 1);
        for (JsonNode id : given) {
            if (!id.isTextual() || RequestIds.problem(id.textValue()).isPresent()) {
                throw new ProblemException(Problem.INVALID_REQUEST, "expected valid request ids", "request_ids");
            }
            ids.add(id.textValue());
        }
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("renames");
        renames.read(ids).stream()
                .filter(rename ->
                        Permissions.mayRead(caller, rename.entry().namespace().orElse(null)))
                .forEach(rename -> array.add(RenameJson.of(rename)));
        return Answer.json(Answer.OK, json);
    }

    private Optional<ObjectNode> known(String id, Caller caller) {
        return read(renames, id, caller).map(RenameJson::of);
    }

    private static Optional<OwnedEntry> read(Renames renames, String id, Caller caller) {
        return renames.read(id)
                .filter(rename ->
                        Permissions.mayRead(caller, rename.entry().namespace().orElse(null)));
    }

    /**
     * Throws if a caller may not cancel a rename, or if neither the journal nor the request topic knows it.
     *
     * @return the waiting request; empty if the journal knows the rename
     */
    Optional<Delivery> requireRightToCancel(String id, Caller caller) {
        Optional<Queued> queued = known(id, caller).isPresent() ? Optional.empty() : waiting(id, caller);
        queued.ifPresentOrElse(
                found -> Permissions.require(caller, Right.RENAME, namespace(found)),
                () -> requireRight(renames, id, caller));
        return queued.map(Queued::delivery);
    }

    /**
     * Throws if a caller may not undo a rename. The answer does not show whether the journal knows a rename that the
     * caller may not read. The check remains valid, because the namespace of an entry never changes.
     */
    static void requireRight(Renames renames, String id, Caller caller) {
        if (!caller.may(Right.RENAME)) {
            OwnedEntry rename = read(renames, id, caller).orElseThrow(RenameLookup::notBegun);
            Permissions.require(caller, Right.RENAME, rename.entry().namespace().orElse(null));
        }
    }

    /**
     * Throws if the caller may not read a predecessor, or if the gateway does not find the predecessor. The answer is
     * the same in both cases, and no worker waits for the predecessor. If the gateway cannot search all waiting requests
     * now, the caller can try again. A gateway that may not read the topic knows only the requests in the journal. A
     * caller that may read all namespaces may name any id.
     */
    void requireVisible(Collection<String> predecessors, Caller caller) {
        if (caller.may(Right.READ) || predecessors.isEmpty()) {
            return;
        }
        Set<String> missing = withoutReadable(predecessors, caller);
        if (missing.isEmpty()) {
            return;
        }
        WaitingRequests.SearchResults results;
        try {
            results = waiting.findAll(missing);
        } catch (NoAnswerException e) {
            log.warn("cannot search the waiting requests for predecessors: {}; answering with 503", e.getMessage());
            throw unknownPredecessors();
        }
        results.found().values().stream()
                .filter(queued -> Permissions.mayRead(caller, namespace(queued)))
                .forEach(queued -> missing.remove(queued.requestId()));
        // a worker may have begun a request between the read of the journal and the search of the topic
        if (missing.isEmpty() || withoutReadable(missing, caller).isEmpty()) {
            return;
        }
        if (results.isPermitted() && !results.isComplete()) {
            throw unknownPredecessors();
        }
        throw new ProblemException(
                Problem.INVALID_REQUEST,
                "expected the ids of requests that were sent before and that the caller may read",
                "after");
    }

    private Set<String> withoutReadable(Collection<String> ids, Caller caller) {
        Set<String> missing = new LinkedHashSet<>(ids);
        renames.read(ids).stream()
                .filter(rename ->
                        Permissions.mayRead(caller, rename.entry().namespace().orElse(null)))
                .forEach(rename -> missing.remove(rename.entry().requestId()));
        return missing;
    }

    private static ProblemException unknownPredecessors() {
        return new ProblemException(
                Problem.NO_ANSWER,
                "the gateway cannot search all waiting requests now, so it does not know whether the requests in after"
                        + " were sent before; try again later",
                "after",
                Map.of("Retry-After", "5"));
    }

    private ObjectNode queued(String id, Caller caller) {
        return waiting(id, caller)
                .map(RenameJson::of)
                .or(() -> known(id, caller))
                .orElseThrow(RenameLookup::unknown);
    }

    /** Returns empty if a worker has begun the request between the read of the journal and the search of the topic. */
    private Optional<Queued> waiting(String id, Caller caller) {
        WaitingRequests.SearchResult result;
        try {
            result = waiting.find(id);
        } catch (NoAnswerException e) {
            log.warn("cannot search the waiting requests for {}: {}; answering with 503", id, e.getMessage());
            throw new ProblemException(
                    Problem.NO_ANSWER,
                    "the journal does not know the request, and Kafka does not answer; the request may still wait in"
                            + " Kafka; try again later",
                    null,
                    Map.of("Retry-After", "5"));
        }
        Optional<Queued> found = result.found().filter(queued -> Permissions.mayRead(caller, namespace(queued)));
        if (found.isEmpty() && known(id, caller).isEmpty()) {
            throw result.isComplete() ? unknown() : notFound();
        }
        return found;
    }

    /**
     * Returns whether a request without a journal entry waits in the request topic. Also returns true if Kafka does not
     * answer.
     */
    boolean mayWait(String id, Caller caller) {
        try {
            return waiting.find(id)
                    .found()
                    .filter(queued -> Permissions.mayRead(caller, namespace(queued)))
                    .isPresent();
        } catch (NoAnswerException e) {
            log.debug("cannot search the waiting requests for {}: {}; the stream continues", id, e.getMessage());
            return true;
        }
    }

    /**
     * Returns the entry of a request. If the request waits in the request topic, this is the entry that a worker will
     * write. Empty if no request has this id, or it cannot be found now.
     */
    Optional<JournalEntry> sent(String id) {
        Optional<JournalEntry> known = renames.confirmed(id);
        if (known.isPresent()) {
            return known;
        }
        try {
            return waiting.find(id).found().map(Queued::entry);
        } catch (NoAnswerException e) {
            log.debug("cannot search the waiting requests for {}: {}", id, e.getMessage());
            return Optional.empty();
        }
    }

    private static @Nullable String namespace(Queued queued) {
        return queued.request() == null ? null : queued.request().namespace();
    }

    private static ProblemException notFound() {
        return new ProblemException(
                Problem.UNKNOWN_REQUEST,
                "the gateway could not search all waiting requests; either the request still waits, or it was never"
                        + " sent, or its entry was deleted after its retention; try again later",
                null);
    }

    static ProblemException unknown() {
        return new ProblemException(
                Problem.UNKNOWN_REQUEST,
                "either the request was never sent, or its entry was deleted after its retention",
                null);
    }

    static ProblemException notBegun() {
        return new ProblemException(
                Problem.UNKNOWN_REQUEST,
                "either no worker has begun the request yet, or the request was never sent, or its entry was deleted"
                        + " after its retention; if the request was sent, try again later",
                null);
    }
}
