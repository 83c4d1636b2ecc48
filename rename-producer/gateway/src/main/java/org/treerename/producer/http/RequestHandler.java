package org.treerename.producer.http;

import io.helidon.common.tls.TlsUtils;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.http.sse.SseEvent;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.sse.SseSink;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.observe.Meters;
import org.treerename.observe.Metric;
import org.treerename.producer.http.Api.Call;
import org.treerename.producer.http.Api.Reply;
import org.treerename.producer.http.Events.Event;
import org.treerename.producer.http.Streams.Seen;
import org.treerename.producer.http.Streams.Stream;

/**
 * Handles every HTTP request, each on a virtual thread. It determines the caller, applies the rate limit, and reads
 * the body. The {@link Api} computes the answer.
 */
final class RequestHandler implements Handler {

    /**
     * The longest time from the first line of a request to the end of its headers. It is also the longest time from
     * there to the end of the body.
     */
    static final Duration MAX_SENDING = Duration.ofSeconds(10);

    /** The longest time in which the client must read an answer or an event. */
    static final Duration MAX_TAKING = Duration.ofSeconds(30);

    /** The headers of every response. */
    static final Map<String, String> HEADERS = Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff");

    private static final Logger log = LoggerFactory.getLogger(RequestHandler.class);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final Set<String> METHODS = Set.of("DELETE", "GET", "POST");

    private final Api api;
    private final Callers callers;
    private final RateLimits rates;
    private final Streams streams;
    private final SlowClients slow;
    private final Meters meters;

    RequestHandler(Api api, Callers callers, RateLimits rates, Streams streams, SlowClients slow, Meters meters) {
        this.api = api;
        this.callers = callers;
        this.rates = rates;
        this.streams = streams;
        this.slow = slow;
        this.meters = meters;
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) throws InterruptedException {
        slow.done();
        Reply reply;
        try {
            reply = reply(request);
        } catch (ProblemException e) {
            reply = new Reply.Whole(e.answer());
        }
        switch (reply) {
            case Reply.Whole whole -> send(request, response, whole.answer());
            case Reply.Following following -> follow(request, response, following.requestId());
        }
    }

    private Reply reply(ServerRequest request) throws InterruptedException {
        String caller = caller(request);
        rates.count(caller);
        String method = request.prologue().method().text();
        byte[] body = method.equals("POST") ? body(request) : new byte[0];
        Call call = new Call(
                method,
                request.prologue().uriPath().rawPath(),
                request.prologue().query().rawValue(),
                name -> values(request, HeaderNames.create(name)),
                caller,
                () -> body);
        try {
            return api.reply(call);
        } catch (ProblemException e) {
            throw e;
        } catch (RuntimeException e) {
            log.error("cannot answer {} {} because of a defect; answering with 500", method, call.path(), e);
            throw new ProblemException(Problem.DEFECT, "see the log of the gateway", null);
        }
    }

    private String caller(ServerRequest request) {
        try {
            return callers.nameOf(
                    values(request, HeaderNames.AUTHORIZATION),
                    request.remotePeer().tlsCertificates().flatMap(TlsUtils::parseCn));
        } catch (ProblemException e) {
            rates.count(RateLimits.UNKNOWN_CALLERS);
            throw e;
        }
    }

    private static List<String> values(ServerRequest request, HeaderName name) {
        return request.headers().contains(name) ? request.headers().get(name).allValues() : List.of();
    }

    private byte[] body(ServerRequest request) {
        if (!request.content().hasEntity()) {
            return new byte[0];
        }
        slow.begin(MAX_SENDING);
        try {
            // do not close the stream: after a refusal, for example of a body that is too large, close would read the
            // rest
            return request.content().inputStream().readAllBytes();
        } catch (RequestException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new CloseConnectionException("the body is incomplete", e);
        } finally {
            slow.done();
        }
    }

    private void send(ServerRequest request, ServerResponse response, Answer answer) {
        count(request, answer.status());
        response.status(answer.status()).header(HeaderNames.CONTENT_TYPE, answer.type());
        HEADERS.forEach((name, value) -> response.header(HeaderNames.create(name), value));
        answer.headers().forEach((name, value) -> response.header(HeaderNames.create(name), value));
        if (!request.content().consumed() && request.content().hasEntity()) {
            // close the connection instead of waiting for the rest of the body
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        boolean isHead = request.prologue().method().text().equals("HEAD");
        slow.within(MAX_TAKING, () -> {
            if (isHead) {
                response.send();
            } else {
                response.send(answer.bytes());
            }
        });
    }

    private void follow(ServerRequest request, ServerResponse response, String requestId) throws InterruptedException {
        Stream stream;
        try {
            stream = streams.follow(requestId);
        } catch (ProblemException e) {
            send(request, response, e.answer());
            return;
        }
        count(request, Answer.OK);
        HEADERS.forEach((name, value) -> response.header(HeaderNames.create(name), value));
        try (SseSink sink = response.sink(SseSink.TYPE)) {
            Events events = new Events(requestId);
            while (!events.isEnded()) {
                Optional<Seen> seen = stream.next(HEARTBEAT);
                List<Event> newEvents = seen.map(events::of).orElse(List.of());
                boolean isQuiet = seen.isEmpty() || events.isQuiet();
                slow.within(MAX_TAKING, () -> {
                    if (isQuiet) {
                        sink.emit(SseEvent.builder().comment("still here").build());
                    }
                    newEvents.forEach(event -> sink.emit(SseEvent.builder()
                            .name(event.name())
                            .data(event.data())
                            .build()));
                });
            }
        } finally {
            streams.leave(stream);
        }
    }

    private void count(ServerRequest request, int status) {
        String method = request.prologue().method().text();
        meters.count(Metric.HTTP_REQUESTS, METHODS.contains(method) ? method : "other", String.valueOf(status));
    }
}
