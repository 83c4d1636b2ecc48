package org.treerename.janitor.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.http.Admission;
import org.treerename.http.Answer;
import org.treerename.http.Call;
import org.treerename.http.Caller;
import org.treerename.http.Right;
import org.treerename.janitor.console.QueryCache.Notice;
import org.treerename.runtime.Printable;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Answers the requests to the console.
 *
 * <pre>{@code
 * GET  /console/, /console/console.js, …                                      the files of the console
 * GET  /console/api/now                                                       processes, number of renames per state
 * GET  /console/api/activity                                                  the last hour, for the plots
 * GET  /console/api/renames?phase=moving&namespace=files&after=…              one page of renames that are not finished
 * GET  /console/api/request?id=…                                              one rename
 * GET  /console/api/locks?namespace=files&path=/a&after=…                     one page of locks
 * GET  /console/api/outcomes?namespace=files&status=completed&text=…&after=…  one page of renames that have ended
 * GET  /console/api/take-overs
 * GET  /console/api/dead-letters
 * GET  /console/api/audit                                                     the last audit
 * POST /console/api/audit                     {}                              requests another audit
 * POST /console/api/fence                     {"process_id": "…"}             requires a token, as do the actions below
 * POST /console/api/replay                    {"place": "0@17"}
 * POST /console/api/cancel                    {"request_id": "…"}
 * POST /console/api/retry-parked              {"request_id": "…"}
 * POST /console/api/abandon                   {"request_id": "…"}
 * POST /console/api/pause                     {}
 * POST /console/api/unpause                   {"since": "…"}                  the start of the pause
 * }</pre>
 * The response to a query is {@code {"at": "…", "answer": {…}, "problem": null}}. {@code at} is the time at which the
 * answer was read. {@code problem} is the reason why the console has no newer answer. The response to an action is
 * {@code {"done": true, "words": "…"}}. The response to a refused or failed request contains problem details (RFC
 * 9457).
 */
final class Api {

    /** The maximum number of bytes of a request body. */
    static final int MAX_BODY = 16 * 1024;

    static final String HOME = "/console/";

    /** The maximum time for which a request waits for the first answer to a query. */
    static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final Logger log = LoggerFactory.getLogger(Api.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String DATA = HOME + "api/";
    private static final String AUDIT = "audit";
    private static final String PAUSE = "pause";

    /** The actions that require a token, each with the JSON field of its argument; empty without an argument. */
    private static final Map<String, String> SUBJECTS = Map.of(
            "fence",
            "process_id",
            "replay",
            "place",
            "cancel",
            "request_id",
            "retry-parked",
            "request_id",
            "abandon",
            "request_id",
            PAUSE,
            "",
            "unpause",
            "since");

    /**
     * The caches and the audit that all browsers share.
     *
     * @param slow the cache for queries with slow reads; other queries do not wait for these reads
     */
    record Boards(QueryCache quick, QueryCache slow, AuditJob audit) {}

    private final Pages pages;
    private final Boards boards;
    private final Operator operator;
    private final Admission admission;

    Api(Pages pages, Boards boards, Operator operator, Admission admission) {
        this.pages = pages;
        this.boards = boards;
        this.operator = operator;
        this.admission = admission;
    }

    Answer answer(Call call) throws InterruptedException {
        Optional<Caller> caller = admission.ownerOf(call.headers());
        if (caller.isEmpty()) {
            Optional<Admission.Refusal> refusal = admission.refusal(call.headers());
            if (refusal.isPresent()) {
                return Answer.problem(refusal.get().status(), refusal.get().title());
            }
        }
        boolean reads = call.isReading();
        if (call.path().equals("/") || call.path().equals("/console")) {
            return reads
                    ? Answer.problem(Answer.REDIRECT, "The console is at " + HOME)
                            .with("Location", HOME)
                    : notAllowed("GET, HEAD");
        }
        if (call.path().startsWith(DATA)) {
            return data(call, call.path().substring(DATA.length()), reads, caller);
        }
        Optional<Pages.File> file = call.path().startsWith(HOME)
                ? pages.named(
                        call.path().equals(HOME) ? Pages.INDEX : call.path().substring(HOME.length()))
                : Optional.empty();
        if (file.isEmpty()) {
            return nothing();
        }
        return reads ? file(file.get(), call) : notAllowed("GET, HEAD");
    }

    private static Answer nothing() {
        return Answer.problem(Answer.NOT_FOUND, "There is nothing at this path");
    }

    private static Answer notAllowed(String allowed) {
        return Answer.problem(Answer.NO_METHOD, "This path does not allow this method")
                .with("Allow", allowed);
    }

    private static Answer file(Pages.File file, Call call) {
        Map<String, String> headers = Map.of("Cache-Control", "no-cache", "ETag", file.tag());
        return call.headers().only("If-None-Match").filter(file.tag()::equals).isPresent()
                ? new Answer(Answer.NOT_MODIFIED, file.type(), "", headers)
                : new Answer(Answer.OK, file.type(), file.text(), headers);
    }

    private Answer data(Call call, String name, boolean reads, Optional<Caller> caller) throws InterruptedException {
        // every user of this machine may read without a token
        boolean mayRead = admission.local() != null;
        if (caller.isEmpty() && !mayRead) {
            return refused("A valid token is required to read");
        }
        if (!mayRead && !caller.orElseThrow().may(Right.READ)) {
            return missing(Right.READ);
        }
        if (reads) {
            return name.equals(AUDIT) ? Answer.json(Answer.OK, boards.audit().shown()) : read(call, name);
        }
        if (!isAction(name)) {
            return Query.isName(name) ? notAllowed("GET, HEAD") : nothing();
        }
        if (!call.method().equals("POST")) {
            return notAllowed(name.equals(AUDIT) ? "GET, HEAD, POST" : "POST");
        }
        return act(call, name, caller);
    }

    private static boolean isAction(String name) {
        return name.equals(AUDIT) || SUBJECTS.containsKey(name);
    }

    private static Answer refused(String title) {
        return Answer.problem(Answer.UNAUTHORIZED, title).with("WWW-Authenticate", "Bearer");
    }

    private static Answer missing(Right right) {
        return Answer.problem(
                Answer.FORBIDDEN,
                MAPPER.createObjectNode()
                        .put("type", "urn:tree-rename:problem:missing_right_" + right.word())
                        .put("title", "The token does not have the right " + right.word() + " in all namespaces")
                        .put("status", Answer.FORBIDDEN),
                Map.of());
    }

    private Answer read(Call call, String name) throws InterruptedException {
        if (!Query.isName(name)) {
            return isAction(name) ? notAllowed("POST") : nothing();
        }
        Question question;
        try {
            question = Query.of(name, call.query());
        } catch (IllegalArgumentException e) {
            log.debug("refusing an HTTP request, because its parameters are invalid: {}", e.getMessage());
            return Answer.problem(Answer.BAD, "The parameters are invalid");
        }
        QueryCache cache = question.isSlow() ? boards.slow() : boards.quick();
        return cache.ask(question, PATIENCE)
                .map(notice -> response(notice, call))
                .orElseGet(() -> Answer.problem(
                                Answer.UNAVAILABLE,
                                "Elasticsearch or Kafka does not answer, or there are too many different queries")
                        .with("Retry-After", "2"));
    }

    private static Answer response(Notice notice, Call call) {
        String tag = "\"" + notice.number() + "\"";
        if (call.headers().only("If-None-Match").filter(tag::equals).isPresent()) {
            return new Answer(Answer.NOT_MODIFIED, "application/json", "", Map.of("ETag", tag));
        }
        ObjectNode json = MAPPER.createObjectNode()
                .put("at", notice.at() == null ? null : notice.at().toString())
                .put("problem", notice.problem());
        json.set("answer", notice.answer());
        return Answer.json(Answer.OK, json).with("ETag", tag);
    }

    private Answer act(Call call, String name, Optional<Caller> caller) {
        String type = call.headers().only("Content-Type").orElse("");
        if (!type.split(";", 2)[0].strip().equalsIgnoreCase("application/json")) {
            return Answer.problem(Answer.WRONG_TYPE, "Expected Content-Type: application/json");
        }
        if (name.equals(AUDIT)) {
            boards.audit().want();
            return Answer.json(Answer.OK, boards.audit().shown());
        }
        if (!admission.takesTokens()) {
            return Answer.problem(
                    Answer.FORBIDDEN, "This console is read-only, because it was started without --console-token-file");
        }
        if (caller.isEmpty()) {
            return refused("A valid token is required");
        }
        return caller.get().may(Right.OPERATE) ? act(call, name, caller.get().name()) : missing(Right.OPERATE);
    }

    private Answer act(Call call, String name, String by) {
        String field = SUBJECTS.getOrDefault(name, "");
        String subject = field.isEmpty() ? "all workers" : text(call.body().get(), field);
        if (subject.isEmpty()) {
            return Answer.problem(Answer.BAD, "Expected a JSON object with a text in the field " + field);
        }
        log.info("{} requests {} of {}", by, name, Printable.of(subject));
        try {
            Operator.Answer answer = switch (name) {
                case "fence" -> operator.fence(subject, by);
                case "replay" -> operator.replay(subject, by);
                case "retry-parked" -> operator.retryParked(subject);
                case "abandon" -> operator.abandon(subject, by);
                case PAUSE -> operator.pause(by);
                case "unpause" -> operator.unpause(subject);
                default -> operator.cancel(subject, by);
            };
            return Answer.json(
                    Answer.OK,
                    MAPPER.createObjectNode().put("done", answer.done()).put("words", answer.words()));
        } catch (NoAnswerException | RefusedException e) {
            log.warn("{} of {} got no answer: {}; its result is unknown", name, subject, e.getMessage());
            return Answer.problem(
                    Answer.UNAVAILABLE,
                    "No answer from Elasticsearch or Kafka, or a refused request. It is not known whether the"
                            + " action was executed");
        }
    }

    private static String text(byte[] body, String field) {
        try {
            JsonNode json = MAPPER.readTree(new String(body, StandardCharsets.UTF_8));
            return json == null ? "" : json.path(field).asText("");
        } catch (JsonProcessingException e) {
            log.debug("refusing an HTTP request, because its body is not JSON: {}", e.getMessage());
            return "";
        }
    }
}
