package org.treerename.local;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.checker.JournalDump;
import org.treerename.path.TreePath;
import org.treerename.producer.RenameProducer;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Status;
import org.treerename.runtime.Time;

/**
 * Sends renames, waits for their outcomes, and prints the renames and the outcomes. Only one thread calls this class.
 */
final class DemoStage {

    static final String NAMESPACE = "files";

    private static final Duration OUTCOME = Duration.ofMinutes(4);

    /**
     * Matches the part of a refusal's text that contains the id of the conflicting request. The demo prints the source
     * of this request instead.
     */
    private static final Pattern WITHOUT_IDS = Pattern.compile(" by (the older )?request .*");

    private final RenameProducer producer;

    /** A second sender. The order between its requests and the requests of {@link #producer} is not guaranteed. */
    private final RenameProducer otherProducer;

    private final ElasticsearchHttp http;
    private final Narrator narrator;
    private final Time time;
    private final Map<String, RenameRequest> asked = new HashMap<>();
    private int completed;

    /** A sent request, the future of its outcome, and the time at which the request was sent. */
    record Asked(RenameRequest request, CompletableFuture<Outcome> outcome, long sentNanos) {}

    DemoStage(
            RenameProducer producer,
            RenameProducer otherProducer,
            ElasticsearchHttp http,
            Narrator narrator,
            Time time) {
        this.producer = producer;
        this.otherProducer = otherProducer;
        this.http = http;
        this.narrator = narrator;
        this.time = time;
    }

    Asked send(String requestId, TreePath source, TreePath destination) {
        return send(producer, requestId, source, destination);
    }

    Asked sendAsAnother(String requestId, TreePath source, TreePath destination) {
        return send(otherProducer, requestId, source, destination);
    }

    private Asked send(RenameProducer sender, String requestId, TreePath source, TreePath destination) {
        RenameRequest request =
                new RenameRequest(requestId, NAMESPACE, source.text(), destination.text(), OnExisting.FAIL, "demo");
        asked.put(requestId, request);
        narrator.report("sent       %s\n        to %s", source, destination);
        return new Asked(request, sender.send(request), time.nanos());
    }

    /**
     * Waits for the outcome and prints it. If the rename waited for a lock, also prints the rename that held the lock.
     */
    JournalDump.Entry await(Asked sent) throws InterruptedException {
        Outcome outcome;
        try {
            outcome = sent.outcome().get(OUTCOME.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "no outcome for the rename of " + sent.request().source(), e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "no outcome for the rename of " + sent.request().source() + " within " + OUTCOME.toMinutes()
                            + " minutes",
                    e);
        }
        JournalDump.Entry entry = entry(outcome.requestId())
                .orElseThrow(() -> new IllegalStateException(
                        "expected a journal entry of request " + outcome.requestId() + ", found none"));
        completed += outcome.status() == Status.COMPLETED ? 1 : 0;
        narrator.report(
                "%-10s %s\n           %s%s",
                outcome.status().published(),
                sent.request().source(),
                ending(outcome, Duration.ofNanos(time.nanos() - sent.sentNanos())),
                waited(entry));
        return entry;
    }

    /** Sends a rename and waits for its outcome. */
    void play(TreePath source, TreePath destination) throws InterruptedException {
        await(send(newRequestId(), source, destination));
    }

    String newRequestId() {
        return producer.newRequestId();
    }

    Optional<JournalDump.Entry> entry(String requestId) {
        return JournalDump.readEntry(http, requestId);
    }

    /** Returns the number of outcomes with the status completed. */
    int completed() {
        return completed;
    }

    int asked() {
        return asked.size();
    }

    private static String ending(Outcome outcome, Duration taken) {
        String documents = outcome.moved() == 1 ? "1 document" : String.format("%,d documents", outcome.moved());
        String result = outcome.status() == Status.COMPLETED
                ? documents + " moved"
                : (outcome.reason() == null ? "" : outcome.publishedReason() + ": ") + outcome.message();
        return result + ", " + Narrator.seconds(taken) + " after it was sent";
    }

    private String waited(JournalDump.Entry entry) {
        if (entry.refusals() == 0) {
            return "";
        }
        RenameRequest other = asked.get(entry.refusedBy());
        return String.format(
                "\n           waited for %s: %s; number of refusals: %d",
                other == null ? "request " + entry.refusedBy() : "the rename of " + other.source(),
                WITHOUT_IDS.matcher(String.valueOf(entry.refusal())).replaceFirst(""),
                entry.refusals());
    }
}
