package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.http.Answer;
import org.treerename.http.Call;
import org.treerename.http.Caller;
import org.treerename.http.Right;
import org.treerename.journal.JournalEntry;
import org.treerename.overview.OverviewJson;
import org.treerename.rename.Cancellation;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/** Computes the answer to each request. This class does not use sockets. */
final class Api {

    /** The reply to a request: a complete answer, the parts of an answer, or a stream of the events of a rename. */
    sealed interface Reply {

        record Whole(Answer answer) implements Reply {}

        /** The parts of a JSON body. The parts contain documents of a tree, which are not copied. */
        record Parts(List<byte[]> body) implements Reply {
            public Parts {
                body = List.copyOf(body);
            }
        }

        record Following(String requestId, Caller caller) implements Reply {}
    }

    private static final Logger log = LoggerFactory.getLogger(Api.class);
    private static final String EVENT_STREAM = "text/event-stream";
    private static final String RETRY_AFTER = "Retry-After";
    private static final String OPEN_API = resource("openapi.json");

    private final Sending sending;
    private final Renames renames;
    private final TreeApi trees;
    private final RenameLookup lookup;

    /**
     * @param acknowledgement the maximum time until Kafka acknowledges a request
     */
    Api(
            Requests requests,
            Renames renames,
            Body body,
            Duration acknowledgement,
            TreeApi trees,
            WaitingRequests waiting) {
        this.renames = renames;
        this.trees = trees;
        this.lookup = new RenameLookup(renames, waiting);
        this.sending = new Sending(requests, renames, body, acknowledgement, lookup);
    }

    /**
     * Answers a request.
     *
     * @param caller the sender of the request
     * @param more counts the requests of a batch after the first one
     * @param memory the memory that the request has reserved
     * @throws ProblemException if the request fails; the exception contains the problem for the client
     */
    Reply reply(Call call, Caller caller, IntConsumer more, MemoryBudget.Share memory) throws InterruptedException {
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
        requireNoUnusedQuery(target, call);
        if (call.method().equals("POST")) {
            // a web page can send only other types without the permission of this server
            requireJson(call.headers());
        }
        try {
            return switch (target) {
                case Target.Renames all ->
                    new Reply.Whole(
                            call.method().equals("POST") ? sending.create(call, caller) : list(call.query(), caller));
                case Target.Rename rename ->
                    new Reply.Whole(
                            call.method().equals("DELETE")
                                    ? cancel(rename.id(), caller)
                                    : Answer.json(Answer.OK, lookup.show(rename.id(), caller)));
                case Target.Events events -> follow(events.id(), call.headers(), caller);
                case Target.Undo undo -> new Reply.Whole(sending.undo(undo.id(), call, caller));
                case Target.Forecasts forecasts ->
                    new Reply.Whole(sending.forecast(call, caller, request -> trees.forecast(request, caller)));
                case Target.Batches batches -> new Reply.Whole(sending.batch(call, caller, more));
                case Target.Lookups lookups -> new Reply.Whole(lookup.showAll(call, caller, more));
                case Target.Namespaces namespaces -> new Reply.Whole(trees.namespaces(caller));
                case Target.Entries entries -> list(entries.namespace(), call, caller, memory);
                case Target.Search search -> search(search.namespace(), call, caller, memory);
                case Target.OpenApi document -> new Reply.Whole(new Answer(Answer.OK, Answer.JSON, OPEN_API, Map.of()));
                case Target.Nothing nothing -> throw new ProblemException(Problem.NOT_FOUND);
            };
        } catch (NoAnswerException e) {
            log.debug(
                    "cannot answer {} {}, because Elasticsearch does not answer: {}; answering with 503",
                    call.method(),
                    call.path(),
                    e.getMessage());
            throw new ProblemException(
                    Problem.NO_ANSWER, "Elasticsearch does not answer", null, Map.of(RETRY_AFTER, "5"));
        } catch (RefusedException e) {
            throw refused(call, e);
        }
    }

    private static ProblemException refused(Call call, RefusedException refusal) {
        log.warn(
                "cannot answer {} {}, because Elasticsearch refuses a request of the gateway: {}; answering with 503",
                call.method(),
                call.path(),
                refusal.getMessage());
        return new ProblemException(
                Problem.NO_ANSWER,
                "Elasticsearch refuses a request of the gateway; see the log of the gateway",
                null,
                Map.of(RETRY_AFTER, "60"));
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

    private static void requireNoUnusedQuery(Target target, Call call) {
        boolean hasParameters = target instanceof Target.Entries
                || (target instanceof Target.Renames && call.method().equals("GET"));
        if (!call.query().isEmpty() && !hasParameters) {
            throw new ProblemException(Problem.INVALID_REQUEST, "expected no query parameters", null);
        }
    }

    /**
     * Returns whether the request that the client follows waits in the request topic. If Kafka does not answer, the
     * result is true.
     */
    boolean mayWait(Reply.Following following) {
        return lookup.mayWait(following.requestId(), following.caller());
    }

    private Reply list(String namespace, Call call, Caller caller, MemoryBudget.Share memory) {
        Permissions.require(caller, Right.READ, namespace);
        return trees.list(namespace, TreeQuestion.ofUrl(call.query()), caller, memory);
    }

    private Reply search(String namespace, Call call, Caller caller, MemoryBudget.Share memory) {
        Permissions.require(caller, Right.READ, namespace);
        return trees.search(namespace, TreeQuestion.ofBody(call.body().get()), caller, memory);
    }

    private Answer list(String query, Caller caller) {
        Listing listing = Listing.of(query);
        Permissions.require(caller, Right.READ, listing.filter().namespace());
        return Answer.json(Answer.OK, RenameJson.of(renames.find(listing.filter(), listing.after(), listing.limit())));
    }

    private Answer cancel(String id, Caller caller) {
        Cancellation.Answer answer = lookup.requireRightToCancel(id, caller)
                .map(queued -> renames.cancel(queued, caller.name()))
                .orElseGet(() -> renames.cancel(id, caller.name()));
        return switch (answer) {
            case Cancellation.Answer.Cancelled cancelled -> {
                log.info("{} has cancelled {}", caller.name(), id);
                yield Answer.json(Answer.OK, outcome(cancelled.entry()));
            }
            case Cancellation.Answer.AlreadyDecided decided -> throw tooLate(decided.entry());
            case Cancellation.Answer.NoEntry none -> throw RenameLookup.notBegun();
            case Cancellation.Answer.NoRename none -> throw RenameLookup.unknown();
        };
    }

    private static JsonNode outcome(JournalEntry entry) {
        return entry.ended()
                .map(ending -> Json.stored(ending.outcome()))
                .orElseThrow(() -> new IllegalStateException(
                        "expected an outcome of the cancelled request " + entry.requestId() + ", found none"));
    }

    private static ProblemException tooLate(JournalEntry entry) {
        String state = OverviewJson.word(entry.state());
        return new ProblemException(
                Problem.ALREADY_DECIDED,
                "the rename is " + state + (entry.state().isFinal() ? "" : ", and will be finished"),
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
