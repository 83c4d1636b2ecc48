package org.treerename.spring;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.treerename.producer.Followed;
import org.treerename.producer.OutcomeListener;
import org.treerename.producer.OutcomeStart;
import org.treerename.producer.OutcomeSubscription;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.PublishedOutcome;
import org.treerename.producer.RenameClient;
import org.treerename.producer.Sent;
import org.treerename.request.ParsedRequest.RenameRequest;

/**
 * Measures the requests of a client.
 * <ul>
 *   <li>{@code tree.rename.client.requests}: the time from the sending of a request to its outcome, by {@code status};
 *       without an outcome, the status is {@code none}
 *   <li>{@code tree.rename.client.waiting}: the number of requests that wait for an outcome
 *   <li>{@code tree.rename.client.received}: the number of outcomes that listeners have processed, by {@code status}
 * </ul>
 */
final class MeasuredRenameClient implements RenameClient {

    private static final String REQUESTS = "tree.rename.client.requests";
    private static final String WAITING = "tree.rename.client.waiting";
    private static final String RECEIVED = "tree.rename.client.received";

    private final RenameClient client;
    private final MeterRegistry registry;
    private final AtomicInteger waiting = new AtomicInteger();

    MeasuredRenameClient(RenameClient client, MeterRegistry registry) {
        this.client = client;
        this.registry = registry;
        Gauge.builder(WAITING, waiting, AtomicInteger::get)
                .description("The number of requests that wait for an outcome.")
                .register(registry);
    }

    @Override
    public String newRequestId() {
        return client.newRequestId();
    }

    @Override
    public Sent submit(RenameRequest request, List<String> after) {
        return measured(client.submit(request, after));
    }

    @Override
    public Sent submit(RenameRequest request, List<String> after, ProgressListener listener) {
        return measured(client.submit(request, after, listener));
    }

    @Override
    public Followed follow(RenameRequest request, List<String> after, ProgressListener listener) {
        Followed followed = client.follow(request, after, listener);
        measured(followed.sent());
        return followed;
    }

    private Sent measured(Sent sent) {
        Timer.Sample sample = Timer.start(registry);
        waiting.incrementAndGet();
        var unused = sent.outcome().whenComplete((published, failure) -> {
            waiting.decrementAndGet();
            sample.stop(Timer.builder(REQUESTS)
                    .description("The time from the sending of a request to its outcome.")
                    .tag("status", status(published))
                    .register(registry));
        });
        return sent;
    }

    private static String status(@Nullable PublishedOutcome published) {
        return published == null
                ? "none"
                : published.outcome().status().published().toLowerCase(Locale.ROOT);
    }

    @Override
    public CompletableFuture<Void> publish(RenameRequest request, List<String> after) {
        return client.publish(request, after);
    }

    @Override
    public OutcomeSubscription subscribe(OutcomeStart start, OutcomeListener listener) {
        return client.subscribe(start, (published, position) -> {
            listener.ended(published, position);
            Counter.builder(RECEIVED)
                    .description("The number of outcomes that listeners have processed.")
                    .tag("status", status(published))
                    .register(registry)
                    .increment();
        });
    }

    @Override
    public void close(Duration timeout) {
        client.close(timeout);
    }
}
