package org.treerename.producer.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.http.Answer;
import org.treerename.http.Call;
import org.treerename.http.Caller;
import org.treerename.http.Right;
import org.treerename.journal.JournalEntry;
import org.treerename.kafka.RequestCodec;
import org.treerename.producer.cli.ForecastReport;
import org.treerename.producer.cli.UndoRequest;
import org.treerename.producer.forecast.Forecast;
import org.treerename.producer.http.Body.Asking;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.TraceContext;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Sends new renames and reverse renames to Kafka. This class also answers requests for forecasts. For a forecast, it
 * sends nothing to Kafka.
 */
final class Sending {

    private static final Logger log = LoggerFactory.getLogger(Sending.class);
    private static final String RETRY_AFTER = "Retry-After";

    /** A forecast sends no request, so all forecasts may have the same id. */
    private static final String FORECAST = "forecast";

    private final Requests requests;
    private final Renames renames;
    private final Body body;
    private final Duration acknowledgement;
    private final RenameLookup lookup;

    /**
     * @param acknowledgement the maximum time until Kafka acknowledges a request
     */
    Sending(Requests requests, Renames renames, Body body, Duration acknowledgement, RenameLookup lookup) {
        this.requests = requests;
        this.renames = renames;
        this.body = body;
        this.acknowledgement = acknowledgement;
        this.lookup = lookup;
    }

    Answer create(Call call, Caller caller) throws InterruptedException {
        Asking asking =
                body.read(call.body().get(), new Body.From(key(call.headers()), requests::newRequestId, caller.name()));
        RenameRequest request = inTrace(asking.request(), call.headers());
        Permissions.require(caller, Right.RENAME, request.namespace());
        body.requireNamespace(request.namespace());
        refuseOther(request);
        lookup.requireVisible(asking.after(), caller);
        acknowledged(request, asking.after());
        log.info("{} sent request {}", caller.name(), request.requestId());
        return accepted(request);
    }

    private static Answer accepted(RenameRequest request) {
        ObjectNode json = Json.object().put("request_id", request.requestId());
        json.set("links", RenameJson.links(request.requestId()));
        return Answer.json(Answer.ACCEPTED, json).with("Location", Target.pathOf(request.requestId()));
    }

    /**
     * Sends several renames in their order. If one of them is not valid or not allowed, this method sends no rename.
     *
     * @param more counts the renames after the first one
     */
    Answer batch(Call call, Caller caller, IntConsumer more) throws InterruptedException {
        List<Asking> all =
                body.readAll(call.body().get(), new Body.From(null, requests::newRequestId, caller.name())).stream()
                        .map(asking -> new Asking(inTrace(asking.request(), call.headers()), asking.after()))
                        .toList();
        more.accept(all.size() - 1);
        all.forEach(asking ->
                Permissions.require(caller, Right.RENAME, asking.request().namespace()));
        all.forEach(asking -> body.requireNamespace(asking.request().namespace()));
        all.forEach(asking -> refuseOther(asking.request()));
        lookup.requireVisible(predecessors(all), caller);
        List<CompletableFuture<Void>> sent = all.stream()
                .map(asking -> requests.publish(asking.request(), asking.after()))
                .toList();
        acknowledged(
                "a batch (requests: " + all.size() + ")",
                CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)),
                Map.of(RETRY_AFTER, "5"));
        log.info("{} sent a batch (requests: {})", caller.name(), all.size());
        ObjectNode json = Json.object();
        ArrayNode renames = json.putArray("renames");
        all.forEach(asking -> renames.addObject()
                .put("request_id", asking.request().requestId())
                .set("links", RenameJson.links(asking.request().requestId())));
        return Answer.json(Answer.ACCEPTED, json);
    }

    private static Set<String> predecessors(List<Asking> batch) {
        Set<String> predecessors = new LinkedHashSet<>();
        Set<String> earlier = new HashSet<>();
        for (Asking asking : batch) {
            asking.after().stream().filter(id -> !earlier.contains(id)).forEach(predecessors::add);
            earlier.add(asking.request().requestId());
        }
        return predecessors;
    }

    /**
     * Sends the reverse rename of a decided rename. The reverse rename begins after the decided rename has ended. A
     * second undo of the same rename sends the same request.
     */
    Answer undo(String id, Call call, Caller caller) throws InterruptedException {
        RenameLookup.requireRight(renames, id, caller);
        JournalEntry entry =
                renames.confirmed(id).filter(found -> !found.isPlaceholder()).orElseThrow(RenameLookup::notBegun);
        Optional<Long> version = body.version(call.body().get());
        Map<String, Optional<JournalEntry>> sent = new HashMap<>();
        return switch (UndoRequest.of(entry, undo -> sent.computeIfAbsent(undo, lookup::sent))) {
            case UndoRequest.NotReversible no ->
                throw new ProblemException(Problem.NOT_REVERSIBLE, no.why().published() + ": " + no.message(), null);
            case UndoRequest.Possible possible -> {
                RenameRequest undo = possible.request();
                RenameRequest planned = undo.requestedBy(
                        requestedBy(undo, sent.getOrDefault(undo.requestId(), Optional.empty()), caller));
                RenameRequest reverse =
                        inTrace(version.map(planned::withVersion).orElse(planned), call.headers());
                refuseOther(reverse);
                acknowledged(reverse, List.of(id));
                log.info("{} sent request {}, which undoes {}", caller.name(), reverse.requestId(), id);
                yield accepted(reverse);
            }
        };
    }

    /** Keeps the caller who requested the same undo before, so that the second undo sends the same request. */
    private static @Nullable String requestedBy(RenameRequest undo, Optional<JournalEntry> sent, Caller caller) {
        return sent.flatMap(entry -> Optional.ofNullable(entry.request()))
                .flatMap(request -> Optional.ofNullable(request.requestedBy()))
                .orElse(caller.name().equals(Caller.ANONYMOUS) ? undo.requestedBy() : caller.name());
    }

    /** Returns the forecast of a rename. The body has the same format as for a new rename. */
    Answer forecast(Call call, Caller caller, Function<RenameRequest, Forecast> forecasts) {
        RenameRequest request = body.read(call.body().get(), new Body.From(null, () -> FORECAST, caller.name()))
                .request();
        Permissions.require(caller, Right.READ, request.namespace());
        return Answer.json(Answer.OK, ForecastReport.json(request, forecasts.apply(request)));
    }

    private static RenameRequest inTrace(RenameRequest request, Call.Headers headers) {
        return request.in(TraceContext.of(
                        headers.first(TraceContext.PARENT).orElse(null),
                        headers.first(TraceContext.STATE).orElse(null))
                .orElse(null));
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
                    "expected one header Idempotency-Key in printable ASCII; put an id with other characters into"
                            + " request_id",
                    "Idempotency-Key");
        }
        return key;
    }

    /** Does not find a request that still waits in its partition, because this request has no entry. */
    private void refuseOther(RenameRequest request) {
        Optional<String> known;
        try {
            known = renames.digest(request.requestId());
        } catch (NoAnswerException | RefusedException e) {
            log.debug(
                    "cannot check in the journal whether the id of request {} is already used: {}; sending the request",
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
        acknowledged(
                "request " + request.requestId(),
                requests.publish(request, after),
                Map.of(RETRY_AFTER, "5", "Location", Target.pathOf(request.requestId())));
    }

    private void acknowledged(String what, CompletableFuture<Void> sent, Map<String, String> headers)
            throws InterruptedException {
        try {
            sent.get(acknowledgement.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            String why = e instanceof TimeoutException
                    ? "no answer within " + acknowledgement.toSeconds() + " s"
                    : e.getMessage();
            log.warn("Kafka has not acknowledged {}: {}; answering with 503", what, why);
            throw new ProblemException(
                    Problem.NO_ANSWER,
                    "Kafka has not acknowledged " + what + ", but may have received it; a request that is sent again"
                            + " with the same request_id is processed only once",
                    null,
                    headers);
        }
    }
}
