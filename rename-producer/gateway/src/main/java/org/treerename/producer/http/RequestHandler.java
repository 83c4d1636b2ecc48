package org.treerename.producer.http;

import io.helidon.http.sse.SseEvent;
import io.helidon.webserver.sse.SseSink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.http.Answer;
import org.treerename.http.Call;
import org.treerename.http.Caller;
import org.treerename.http.Exchange;
import org.treerename.http.HttpServer;
import org.treerename.observe.Meters;
import org.treerename.observe.Metric;
import org.treerename.overview.OwnedEntry;
import org.treerename.producer.http.Api.Reply;
import org.treerename.producer.http.Events.Event;
import org.treerename.producer.http.Streams.Seen;
import org.treerename.producer.http.Streams.Stream;

/**
 * Answers every HTTP request. This class determines the caller, applies the rate limit, and reads the body. The {@link
 * Api} computes the answer.
 */
final class RequestHandler implements HttpServer.Site {

    private static final Map<String, String> HEADERS =
            Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff");

    private static final Logger log = LoggerFactory.getLogger(RequestHandler.class);
    /** A parsed body needs at most this number of bytes for each of its bytes. The worst case is an empty object. */
    private static final int PARSED = 28;

    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final Set<String> METHODS = Set.of("DELETE", "GET", "POST");

    private final Api api;
    private final Callers callers;
    private final RateLimits rates;
    private final Streams streams;
    private final Meters meters;
    private final MemoryBudget memory = MemoryBudget.ofHeap();

    RequestHandler(Api api, Callers callers, RateLimits rates, Streams streams, Meters meters) {
        this.api = api;
        this.callers = callers;
        this.rates = rates;
        this.streams = streams;
        this.meters = meters;
    }

    @Override
    public Map<String, String> headers() {
        return HEADERS;
    }

    @Override
    public Answer refused(int status, boolean isInternal) {
        Problem problem = switch (status) {
            case 403 -> Problem.FOREIGN_CERTIFICATE;
            case 413 -> Problem.TOO_LARGE;
            case 414 -> Problem.URI_TOO_LONG;
            case 503 -> Problem.OVERLOADED;
            case 505 -> Problem.HTTP_VERSION;
            // the cause of an error before the call of handle() is always the request; handle() reports its own errors
            default -> status < 500 || isInternal ? Problem.MALFORMED_HTTP : Problem.DEFECT;
        };
        return problem.answer(
                problem.title(), null, problem == Problem.OVERLOADED ? Map.of("Retry-After", "1") : Map.of());
    }

    @Override
    public void handle(Exchange exchange) throws InterruptedException {
        Reply.Following following;
        try (MemoryBudget.Share share = memory.begin()) {
            Reply reply;
            try {
                reply = reply(exchange, share);
            } catch (ProblemException e) {
                reply = new Reply.Whole(e.answer());
            }
            switch (reply) {
                case Reply.Whole whole -> {
                    send(exchange, whole.answer());
                    return;
                }
                case Reply.Parts parts -> {
                    count(exchange, Answer.OK);
                    exchange.send(Answer.JSON, parts.body());
                    return;
                }
                case Reply.Following follows -> following = follows;
            }
        }
        follow(exchange, following);
    }

    private Reply reply(Exchange exchange, MemoryBudget.Share share) throws InterruptedException {
        Caller caller = caller(exchange);
        rates.count(caller.name());
        byte[] body = exchange.method().equals("POST") ? body(exchange, share) : new byte[0];
        Call call = exchange.call(() -> body);
        try {
            return api.reply(call, caller, more -> rates.countMore(caller.name(), more), share);
        } catch (ProblemException e) {
            throw e;
        } catch (RuntimeException e) {
            log.error("cannot answer {} {} because of a defect; answering with 500", call.method(), call.path(), e);
            throw new ProblemException(Problem.DEFECT, "see the log of the gateway", null);
        }
    }

    private static byte[] body(Exchange exchange, MemoryBudget.Share share) {
        share.reserve(Gateway.MAX_BODY);
        byte[] body = exchange.body();
        share.reserve((long) PARSED * body.length);
        return body;
    }

    private Caller caller(Exchange exchange) {
        try {
            return current(exchange);
        } catch (ProblemException e) {
            rates.count(RateLimits.UNKNOWN_CALLERS);
            throw e;
        }
    }

    /** Reads the rights again: a stream ends when its token is no longer valid. */
    private Caller current(Exchange exchange) {
        return callers.of(exchange, exchange.certificateName());
    }

    private void send(Exchange exchange, Answer answer) {
        count(exchange, answer.status());
        exchange.send(answer);
    }

    private void follow(Exchange exchange, Reply.Following following) throws InterruptedException {
        String requestId = following.requestId();
        Stream stream;
        try {
            stream = streams.follow(requestId, following.caller().name());
        } catch (ProblemException e) {
            send(exchange, e.answer());
            return;
        }
        count(exchange, Answer.OK);
        try (SseSink sink = exchange.begun().sink(SseSink.TYPE)) {
            Events events = new Events(requestId, () -> api.mayWait(new Reply.Following(requestId, current(exchange))));
            while (!events.isEnded()) {
                Optional<Seen> next = stream.next(HEARTBEAT);
                Caller caller = current(exchange);
                Optional<Seen> seen = next.map(any -> visible(any, caller));
                List<Event> newEvents = seen.map(events::of).orElse(List.of());
                boolean isQuiet = seen.isEmpty() || events.isQuiet();
                exchange.write(() -> {
                    if (isQuiet) {
                        sink.emit(SseEvent.builder().comment("still here").build());
                    }
                    newEvents.forEach(event -> sink.emit(SseEvent.builder()
                            .name(event.name())
                            .data(event.data())
                            .build()));
                });
            }
        } catch (ProblemException e) {
            log.info("the stream for {} ends: {}", requestId, e.getMessage());
        } finally {
            streams.leave(stream);
        }
    }

    private static Seen visible(Seen seen, Caller caller) {
        boolean isHidden = seen instanceof Seen.Rename(OwnedEntry rename)
                && !Permissions.mayRead(caller, rename.entry().namespace().orElse(null));
        return isHidden ? new Seen.Nothing() : seen;
    }

    private void count(Exchange exchange, int status) {
        meters.count(
                Metric.HTTP_REQUESTS,
                METHODS.contains(exchange.method()) ? exchange.method() : "other",
                String.valueOf(status));
    }
}
