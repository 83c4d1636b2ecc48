package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.http.Answer;
import org.treerename.http.Call;
import org.treerename.http.Caller;
import org.treerename.http.Right;
import org.treerename.journal.JournalEntry;
import org.treerename.kafka.RequestCodec;
import org.treerename.overview.OverviewJson;
import org.treerename.overview.OwnedEntry;
import org.treerename.producer.http.Body.Asking;
import org.treerename.rename.Cancellation;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.TraceContext;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/** Computes the answer to each request. It does not use sockets. Any thread may call this class. */
final class Api {

    /** The reply to a request: a complete answer, or the events of a rename. */
    sealed interface Reply {

        record Whole(Answer answer) implements Reply {}

        record Following(String requestId, Caller caller) implements Reply {}
    }

    private static final Logger log = LoggerFactory.getLogger(Api.class);
    private static final String EVENT_STREAM = "text/event-stream";
    private static final String RETRY_AFTER = "Retry-After";
    private static final String OPEN_API = resource("openapi.json");

    private final Requests requests;
    private final Renames renames;
    private final Body body;
    private final Duration acknowledgement;
    private final TreeApi trees;
    private final RenameLookup lookup;

    /**
     * @param acknowledgement the longest time in which Kafka must acknowledge a request
     */
    Api(
            Requests requests,
            Renames renames,
            Body body,
            Duration acknowledgement,
            TreeApi trees,
            WaitingRequests waiting) {
        this.requests = requests;
        this.renames = renames;
        this.body = body;
        this.acknowledgement = acknowledgement;
        this.trees = trees;
        this.lookup = new RenameLookup(renames, waiting);
    }

    /**
     * Answers a request.
     *
     * @param caller the sender of the request
     * @throws ProblemException if the request cannot be answered; it contains the problem
     */
    Reply reply(Call call, Caller caller) throws InterruptedException {
        Target target = Target.of(call.path());
        if (target instanceof Target.Nothing) {
            throw new ProblemException(Problem.NOT_FOUND);
        }
        if (!target.methods().contains(call.method())) {
            String allowed =
                    String.join(", ", target.methods().stream().sorted().toList());
            throw new ProblemException(
                    Problem.METHOD_NOT_ALLOWED, "expected " + allowed, null, Map.of("Allow", allowed));
        }
        boolean hasParameters = target instanceof Target.Entries
                || (target instanceof Target.Renames && call.method().equals("GET"));
        if (!call.query().isEmpty() && !hasParameters) {
            throw new ProblemException(Problem.INVALID_REQUEST, "expected no query parameters", null);
        }
        try {
            return switch (target) {
                case Target.Renames all ->
                    new Reply.Whole(call.method().equals("POST") ? create(call, caller) : list(call.query(), caller));
                case Target.Rename rename ->
                    new Reply.Whole(
                            call.method().equals("DELETE")
                                    ? cancel(rename.id(), caller)
                                    : Answer.json(Answer.OK, lookup.show(rename.id(), caller)));
                case Target.Events events -> follow(events.id(), call.headers(), caller);
                case Target.Entries entries -> new Reply.Whole(list(entries.namespace(), call, caller));
                case Target.Search search -> new Reply.Whole(search(search.namespace(), call, caller));
                case Target.OpenApi document -> new Reply.Whole(new Answer(Answer.OK, Answer.JSON, OPEN_API, Map.of()));
                case Target.Nothing nothing -> throw new ProblemException(Problem.NOT_FOUND);
            };
        } catch (NoAnswerException e) {
            log.debug("Elasticsearch does not answer: {}; answering with 503", e.getMessage());
            throw new ProblemException(
                    Problem.NO_ANSWER, "Elasticsearch does not answer", null, Map.of(RETRY_AFTER, "5"));
        } catch (RefusedException e) {
            log.warn("Elasticsearch refuses a request of the gateway: {}; answering with 503", e.getMessage());
            throw new ProblemException(
                    Problem.NO_ANSWER,
                    "Elasticsearch refuses a request of the gateway",
                    null,
                    Map.of(RETRY_AFTER, "60"));
        }
    }

    /** Returns whether a request that the journal does not know waits in the request topic, or may wait there. */
    boolean mayWait(Reply.Following following) {
        return lookup.mayWait(following.requestId(), following.caller());
    }

    private Answer create(Call call, Caller caller) throws InterruptedException {
        requireJson(call.headers());
        Asking asking =
                body.read(call.body().get(), new Body.From(key(call.headers()), requests::newRequestId, caller.name()));
        RenameRequest request = inTrace(asking.request(), call.headers());
        Permissions.require(caller, Right.RENAME, request.namespace());
        refuseOther(request);
        acknowledged(request, asking.after());
        log.info("{} sent request {}", caller.name(), request.requestId());
        ObjectNode json = Json.object().put("request_id", request.requestId());
        json.set("links", RenameJson.links(request.requestId()));
        return Answer.json(Answer.ACCEPTED, json).with("Location", Target.pathOf(request.requestId()));
    }

    private Answer list(String namespace, Call call, Caller caller) {
        Permissions.require(caller, Right.READ, namespace);
        return trees.list(namespace, TreeQuestion.ofUrl(call.query()));
    }

    private Answer search(String namespace, Call call, Caller caller) {
        Permissions.require(caller, Right.READ, namespace);
        requireJson(call.headers());
        return trees.search(namespace, TreeQuestion.ofBody(call.body().get()));
    }

    private static RenameRequest inTrace(RenameRequest request, Call.Headers headers) {
        return request.in(TraceContext.of(
                        headers.first(TraceContext.PARENT).orElse(null),
                        headers.first(TraceContext.STATE).orElse(null))
                .orElse(null));
    }

    private static void requireJson(Call.Headers headers) {
        String type = headers.first("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        String[] parts = type.split(";", 2);
        boolean isUtf8 = parts.length == 1 || parts[1].strip().matches("charset=\"?utf-8\"?");
        if (!parts[0].strip().equals(Answer.JSON) || !isUtf8) {
            throw new ProblemException(
                    Problem.UNSUPPORTED_MEDIA_TYPE, "expected Content-Type: application/json, in UTF-8", null);
        }
    }

    private static @Nullable String key(Call.Headers headers) {
        List<String> keys = headers.values("Idempotency-Key");
        if (keys.isEmpty()) {
            return null;
        }
        String key = keys.getFirst();
        boolean isAscii = key.chars().allMatch(c -> c >= ' ' && c <= '~');
        if (keys.size() > 1 || !isAscii) {
            throw new ProblemException(
                    Problem.INVALID_REQUEST,
                    "the header Idempotency-Key must be given once, in printable ASCII; put other ids into request_id",
                    "Idempotency-Key");
        }
        return key;
    }

    /**
     * Throws if the journal has another request under this id. The journal has no entry of a request that still waits
     * in its partition.
     */
    private void refuseOther(RenameRequest request) {
        Optional<String> known;
        try {
            known = renames.digest(request.requestId());
        } catch (NoAnswerException | RefusedException e) {
            log.debug(
                    "cannot check in the journal whether the id of request {} is used: {}; sending the request",
                    request.requestId(),
                    e.getMessage());
            return;
        }
        if (known.isPresent() && !known.get().equals(RequestCodec.digest(request))) {
            throw new ProblemException(
                    Problem.REQUEST_ID_REUSED,
                    "another request was sent under this id; a repeated request must have the same value in each"
                            + " field, including requested_by",
                    "request_id");
        }
    }

    private void acknowledged(RenameRequest request, List<String> after) throws InterruptedException {
        try {
            requests.publish(request, after).get(acknowledgement.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.warn(
                    "Kafka has not acknowledged request {}: {}; answering with 503",
                    request.requestId(),
                    e.getMessage());
            throw new ProblemException(
                    Problem.NO_ANSWER,
                    "Kafka has not acknowledged the request; it may be processed nevertheless; send it again under"
                            + " the same request_id, and it is processed only once",
                    null,
                    Map.of(RETRY_AFTER, "5", "Location", Target.pathOf(request.requestId())));
        }
    }

    private Answer list(String query, Caller caller) {
        Listing listing = Listing.of(query);
        Permissions.require(caller, Right.READ, listing.filter().namespace());
        return Answer.json(Answer.OK, RenameJson.of(renames.find(listing.filter(), listing.after(), listing.limit())));
    }

    private Answer cancel(String id, Caller caller) {
        if (!caller.may(Right.RENAME)) {
            // the journal never changes the namespace of an entry
            OwnedEntry rename = renames.read(id).orElseThrow(Api::notBegun);
            Permissions.require(caller, Right.RENAME, rename.entry().namespace().orElse(null));
        }
        return switch (renames.cancel(id, caller.name())) {
            case Cancellation.Answer.Cancelled cancelled -> {
                log.info("{} has cancelled {}", caller.name(), id);
                yield Answer.json(Answer.OK, outcome(cancelled.entry()));
            }
            case Cancellation.Answer.AlreadyDecided decided -> throw tooLate(decided.entry());
            case Cancellation.Answer.NoEntry none -> throw notBegun();
            case Cancellation.Answer.NoRename none -> throw RenameLookup.unknown();
        };
    }

    private static JsonNode outcome(JournalEntry entry) {
        return entry.ended()
                .map(ending -> Json.stored(ending.outcome()))
                .orElseThrow(() -> new IllegalStateException(entry.requestId() + " is cancelled without an outcome"));
    }

    private static ProblemException tooLate(JournalEntry entry) {
        String state = OverviewJson.word(entry.state());
        return new ProblemException(
                Problem.ALREADY_DECIDED,
                "the rename is " + state + (entry.state().isFinal() ? "" : ", and will be finished"),
                null);
    }

    private static ProblemException notBegun() {
        return new ProblemException(
                Problem.UNKNOWN_REQUEST,
                "a worker has not begun the request yet, or the request was never sent, or its entry was deleted"
                        + " after its retention",
                null);
    }

    private static Reply follow(String id, Call.Headers headers, Caller caller) {
        List<String> accepted = headers.values("Accept");
        boolean isAccepted = accepted.isEmpty()
                || accepted.stream()
                        .flatMap(value -> Arrays.stream(value.split(",", -1)))
                        .map(value -> value.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                        .anyMatch(type -> type.equals(EVENT_STREAM) || type.equals("text/*") || type.equals("*/*"));
        if (!isAccepted) {
            throw new ProblemException(Problem.NOT_ACCEPTABLE, "expected Accept: " + EVENT_STREAM, null);
        }
        return new Reply.Following(id, caller);
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Api.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
