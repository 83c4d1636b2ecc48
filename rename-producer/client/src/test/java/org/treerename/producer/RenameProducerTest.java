package org.treerename.producer;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.treerename.installation.Installation;
import org.treerename.kafka.RequestCodec;
import org.treerename.observe.CurrentTrace;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.request.TraceContext;

class RenameProducerTest {

    private static final long OLDER_OUTCOMES = 7;
    private static final Outcome COMPLETED = OutcomeTexts.completed("r-1", 3);
    private static final Outcome REJECTED = OutcomeTexts.rejected("r-1", Reason.DESTINATION_EXISTS, "/b exists");

    private final InMemoryKafka kafka = new InMemoryKafka(OLDER_OUTCOMES);
    private final RenameProducer producer = kafka.producer();

    @Test
    void a_request_is_one_event_under_the_key_of_its_source() {
        RenameRequest request = request("r-1");

        var unused = producer.send(request);

        assertThat(kafka.sent()).hasSize(1);
        ProducerRecord<String, byte[]> event = kafka.sent().get(0);
        assertThat(event.topic()).isEqualTo(Installation.DEFAULT.requests());
        assertThat(event.key()).isEqualTo("files/a");
        assertThat(event.value()).isEqualTo(RequestCodec.encode(request));
        assertThat(headers(event))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "ce_specversion", "1.0",
                        "ce_type", "org.treerename.rename.requested.v1",
                        "ce_id", "r-1",
                        "ce_source", "/rename-producer",
                        "ce_time", "2026-08-01T10:00:00Z",
                        "content-type", "application/json"));
    }

    @Test
    void a_request_has_the_trace_of_the_calling_thread_even_if_another_thread_sends_it_later() throws Exception {
        String first = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        String second = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
        kafka.holdBackAcknowledgements();
        RenameRequest later = new RenameRequest("r-2", "files", "/b/x", "/a/y", OnExisting.FAIL, "me");

        CurrentTrace.within(new TraceContext(first, "vendor=1"), () -> producer.submit(request("r-1")));
        CurrentTrace.within(new TraceContext(second, null), () -> producer.submit(later));
        int sentAtOnce = kafka.sent().size();
        kafka.acknowledgeNext();
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> kafka.sent().size() == 2);

        assertThat(sentAtOnce).isEqualTo(1);
        assertThat(headers(kafka.sent().get(0)))
                .containsEntry("traceparent", first)
                .containsEntry("tracestate", "vendor=1");
        assertThat(headers(kafka.sent().get(1)))
                .containsEntry("traceparent", second)
                .doesNotContainKey("tracestate");
        assertThat(kafka.traces())
                .extracting(trace -> trace.map(TraceContext::traceparent).orElse(""))
                .containsExactly(first, second);
    }

    @Test
    void the_trace_of_the_request_takes_precedence_over_the_trace_of_the_thread() {
        String named = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        TraceContext current = new TraceContext("00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01", null);

        CurrentTrace.within(current, () -> producer.submit(request("r-1").in(new TraceContext(named, null))));

        assertThat(headers(kafka.sent().get(0))).containsEntry("traceparent", named);
    }

    @Test
    void the_future_completes_with_the_outcome_of_any_status() throws Exception {
        CompletableFuture<Outcome> future = producer.send(request("r-1"));

        assertThat(future).isNotDone();
        publish(REJECTED);

        assertThat(future.get(120, SECONDS)).isEqualTo(REJECTED);
    }

    @Test
    void returns_the_outcome_also_in_its_published_form() throws Exception {
        String later = OutcomeTexts.json(COMPLETED).replace("{", "{ \"later_field\" : 1, ");
        Sent sent = producer.submit(request("r-1"));

        kafka.append(0, "r-1", later);
        kafka.read();

        assertThat(sent.acknowledged().get(120, SECONDS)).isNull();
        assertThat(sent.outcome().get(120, SECONDS)).isEqualTo(new PublishedOutcome(COMPLETED, later));
    }

    @Test
    void a_request_sent_twice_under_one_id_ends_both_futures() throws Exception {
        CompletableFuture<Outcome> first = producer.send(request("r-1"));
        CompletableFuture<Outcome> second = producer.send(request("r-1"));

        publish(COMPLETED);

        assertThat(first.get(120, SECONDS)).isEqualTo(COMPLETED);
        assertThat(second.get(120, SECONDS)).isEqualTo(COMPLETED);
        assertThat(kafka.sent()).hasSize(2);
    }

    @Test
    void returns_the_first_of_two_published_outcomes() throws Exception {
        CompletableFuture<Outcome> future = producer.send(request("r-1"));

        publish(COMPLETED);
        publish(REJECTED);

        assertThat(future.get(120, SECONDS)).isEqualTo(COMPLETED);
    }

    @Test
    void ignores_the_outcome_of_another_request() {
        CompletableFuture<Outcome> future = producer.send(request("r-2"));

        publish(COMPLETED);

        assertThat(future).isNotDone();
    }

    @Test
    void returns_an_outcome_whose_reason_only_a_later_version_knows() throws Exception {
        CompletableFuture<Outcome> future = producer.send(request("r-1"));

        kafka.append(0, "r-1", OutcomeTexts.json(COMPLETED).replace("\"reason\":null", "\"reason\":\"at_night\""));
        kafka.read();

        Outcome outcome = future.get(120, SECONDS);
        assertThat(outcome.status()).isEqualTo(Status.COMPLETED);
        assertThat(outcome.publishedReason()).isEqualTo("at_night");
    }

    @Test
    void an_outcome_that_this_version_cannot_read_ends_only_its_own_futures() throws Exception {
        CompletableFuture<Outcome> unreadable = producer.send(request("r-1"));
        CompletableFuture<Outcome> readable = producer.send(request("r-2"));

        kafka.append(0, "r-1", OutcomeTexts.json(COMPLETED).replace("\"finished_at\"", "\"ended\""));
        kafka.append(0, "r-2", OutcomeTexts.json(OutcomeTexts.completed("r-2", 1)));
        kafka.read();

        assertThatThrownBy(() -> unreadable.get(120, SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(NoOutcomeException.class)
                .hasMessageContaining("request r-1 ended, but this version of the client cannot read its outcome")
                .hasMessageContaining("\"ended\":");
        assertThat(readable.get(120, SECONDS)).isEqualTo(OutcomeTexts.completed("r-2", 1));
    }

    @Test
    void a_malformed_outcome_does_not_stop_the_reader() throws Exception {
        CompletableFuture<Outcome> nonsense = producer.send(request("r-1"));
        CompletableFuture<Outcome> without = producer.send(request("r-2"));

        kafka.append(0, "r-1", "{\"request_id\":\"r-1\",\"status\":\"completed\",\"requested_at\":\"yesterday\"}");
        kafka.append(0, "r-2", null);
        kafka.append(0, "r-2", OutcomeTexts.json(OutcomeTexts.completed("r-2", 1)));
        kafka.read();

        assertThat(failure(nonsense)).isInstanceOf(NoOutcomeException.class).hasMessageContaining("yesterday");
        assertThat(without.get(120, SECONDS)).isEqualTo(OutcomeTexts.completed("r-2", 1));
    }

    @Test
    void a_new_partition_is_read_from_its_beginning() throws Exception {
        CompletableFuture<Outcome> future = producer.send(request("r-1"));
        kafka.addPartition(1);

        kafka.read();
        kafka.time().advance(InMemoryKafka.PARTITION_CHECK);
        kafka.read();
        kafka.append(1, "r-1", OutcomeTexts.json(COMPLETED));
        kafka.read();

        assertThat(future.get(120, SECONDS)).isEqualTo(COMPLETED);
    }

    @Test
    void reads_again_after_a_failure() throws Exception {
        CompletableFuture<Outcome> future = producer.send(request("r-1"));

        kafka.failNextPoll(new KafkaException("something passing"));
        kafka.read();
        assertThat(future).isNotDone();
        publish(COMPLETED);

        assertThat(future.get(120, SECONDS)).isEqualTo(COMPLETED);
    }

    @Test
    void fails_the_futures_if_reading_outcomes_is_not_permitted() throws Exception {
        CompletableFuture<Outcome> before = producer.send(request("r-1"));

        kafka.failNextPoll(new TopicAuthorizationException("not allowed"));
        kafka.read();
        CompletableFuture<Outcome> after = producer.send(request("r-1"));
        publish(COMPLETED);

        assertThat(failure(before))
                .isInstanceOf(NoOutcomeException.class)
                .hasMessageContaining("Kafka does not allow this client to read");
        assertThat(after.get(120, SECONDS)).isEqualTo(COMPLETED);
    }

    @Test
    void does_not_send_a_request_whose_outcome_it_may_not_read() throws Exception {
        kafka.failNextPoll(new TopicAuthorizationException("not allowed"));
        kafka.tryToRead();

        Sent refused = producer.submit(request("r-1"));
        producer.publish(request("r-2")).get(120, SECONDS);

        for (CompletableFuture<?> future : List.of(refused.acknowledged(), refused.outcome())) {
            assertThat(failure(future))
                    .isInstanceOf(NoOutcomeException.class)
                    .hasMessage("request r-1 was not sent: Kafka does not allow this client to read topic"
                            + " rename.outcomes: not allowed; grant Read on this topic, or send requests without"
                            + " waiting for their outcomes");
        }
        assertThat(kafka.sent()).hasSize(1);
        assertThat(kafka.waitingCount()).isZero();
    }

    @Test
    void sends_requests_again_when_the_right_to_read_outcomes_was_granted() throws Exception {
        kafka.failNextPoll(new TopicAuthorizationException("not allowed"));
        kafka.tryToRead();
        kafka.read();

        CompletableFuture<Outcome> outcome = producer.send(request("r-1"));
        publish(COMPLETED);

        assertThat(outcome.get(120, SECONDS)).isEqualTo(COMPLETED);
    }

    @Test
    void a_request_that_kafka_does_not_acknowledge_ends_both_futures() {
        kafka.holdBackAcknowledgements();
        Sent sent = producer.submit(request("r-1"));

        kafka.refuse(new TimeoutException("no leader"));

        assertThat(failure(sent.acknowledged()))
                .isInstanceOf(NoOutcomeException.class)
                .hasMessage("Kafka did not acknowledge request r-1 (no leader); Kafka may contain the request"
                        + " nevertheless; send the request again under the same id, and it is processed only once");
        assertThat(failure(sent.outcome())).isInstanceOf(NoOutcomeException.class);
        assertThat(kafka.waitingCount()).isZero();
    }

    @Test
    void publishing_waits_for_the_acknowledgement_only() throws Exception {
        CompletableFuture<Void> acknowledged = producer.publish(request("r-1"));

        assertThat(acknowledged.get(120, SECONDS)).isNull();
        assertThat(kafka.sent()).hasSize(1);
        assertThat(kafka.waitingCount()).isZero();
    }

    @Test
    void does_not_send_a_request_with_an_invalid_id() {
        assertThat(failure(producer.send(request("")))).isInstanceOf(IllegalArgumentException.class);
        assertThat(failure(producer.send(request("x".repeat(201))))).isInstanceOf(IllegalArgumentException.class);
        assertThat(failure(producer.publish(request("a\nb")))).isInstanceOf(IllegalArgumentException.class);
        assertThat(kafka.sent()).isEmpty();
    }

    @Test
    void does_not_send_a_path_that_utf_8_cannot_encode() {
        RenameRequest halfACharacter = new RenameRequest("r-1", "files", "/a\uD83D", "/b", OnExisting.FAIL, null);

        assertThat(failure(producer.send(halfACharacter))).isInstanceOf(IllegalArgumentException.class);
        assertThat(kafka.sent()).isEmpty();
    }

    @Test
    void forgets_a_future_that_its_caller_completes_or_cancels() {
        CompletableFuture<Outcome> impatient = producer.send(request("r-1"));
        CompletableFuture<Outcome> cancelled = producer.send(request("r-1"));
        Sent submitted = producer.submit(request("r-2"));
        assertThat(kafka.waitingCount()).isEqualTo(3);

        impatient.completeExceptionally(new java.util.concurrent.TimeoutException());
        cancelled.cancel(false);
        submitted.outcome().cancel(false);

        assertThat(kafka.waitingCount()).isZero();
    }

    @Test
    void limits_the_requests_that_wait_for_an_outcome() {
        for (int i = 0; i < 10; i++) {
            var unused = producer.send(request("r-" + i));
        }

        assertThat(failure(producer.send(request("r-10"))))
                .isInstanceOf(NoOutcomeException.class)
                .hasMessageStartingWith("request r-10 was not sent: 10 requests already wait");
        assertThat(kafka.sent()).hasSize(10);
    }

    @Test
    void close_fails_waiting_and_later_requests() {
        CompletableFuture<Outcome> before = producer.send(request("r-1"));

        producer.close(Duration.ofSeconds(1));
        producer.close(Duration.ofSeconds(1));

        assertThat(before).isCompletedExceptionally();
        assertThat(failure(before))
                .isInstanceOf(NoOutcomeException.class)
                .hasMessageContaining("the producer was closed before the outcome arrived");
        assertThat(failure(producer.send(request("r-2")))).isInstanceOf(NoOutcomeException.class);
        assertThat(failure(producer.publish(request("r-2")))).isInstanceOf(NoOutcomeException.class);
    }

    private static RenameRequest rename(String id, String source, String destination) {
        return new RenameRequest(id, "files", source, destination, OnExisting.FAIL, null);
    }

    private void awaitSent(int count) {
        Awaitility.await("requests that were sent")
                .atMost(Duration.ofSeconds(120))
                .until(() -> kafka.sent().size() >= count);
    }

    private List<String> after(int sent) {
        return ((RequestCodec.Decoded.Usable)
                        RequestCodec.decode(kafka.sent().get(sent).value()))
                .after();
    }

    @Test
    void an_overlap_under_another_key_is_sent_after_the_acknowledgement_and_names_the_earlier_request()
            throws Exception {
        kafka.holdBackAcknowledgements();
        var unused = producer.submit(rename("r-1", "/a/x", "/b/x"));
        Sent second = producer.submit(rename("r-2", "/b/x", "/c/x"));
        CompletableFuture<Void> third = producer.publish(rename("r-3", "/c/x", "/d/x"));
        assertThat(kafka.sent()).hasSize(1);

        kafka.acknowledgeNext();
        awaitSent(2);
        assertThat(second.acknowledged()).isNotDone();
        kafka.acknowledgeNext();
        awaitSent(3);
        kafka.acknowledgeNext();

        assertThat(third.get(120, SECONDS)).isNull();
        assertThat(after(0)).isEmpty();
        assertThat(after(1)).containsExactly("r-1");
        assertThat(after(2)).containsExactly("r-2");
    }

    @Test
    void does_not_name_a_request_whose_outcome_was_read() throws Exception {
        CompletableFuture<Void> first = producer.publish(rename("r-1", "/a/x", "/b/x"));
        first.get(120, SECONDS);
        publish(COMPLETED);

        var unused = producer.publish(rename("r-2", "/b/x", "/c/x"));

        assertThat(kafka.sent()).hasSize(2);
        assertThat(after(1)).isEmpty();
    }

    @Test
    void sends_a_waiting_request_after_a_failure_and_does_not_name_the_failed_one() {
        kafka.holdBackAcknowledgements();
        CompletableFuture<Void> first = producer.publish(rename("r-1", "/a/x", "/b/x"));
        var unused = producer.publish(rename("r-2", "/b/x", "/c/x"));

        kafka.refuse(new TimeoutException("no leader"));

        assertThat(failure(first)).isInstanceOf(NoOutcomeException.class);
        awaitSent(2);
        assertThat(after(1)).isEmpty();
    }

    @Test
    void close_does_not_send_a_request_that_waits_for_another() {
        kafka.holdBackAcknowledgements();
        var unused = producer.publish(rename("r-1", "/a/x", "/b/x"));
        Sent second = producer.submit(rename("r-2", "/b/x", "/c/x"));

        producer.close(Duration.ofMillis(50));

        assertThat(kafka.sent()).hasSize(1);
        assertThat(failure(second.acknowledged()))
                .isInstanceOf(NoOutcomeException.class)
                .hasMessageContaining("was not sent: the producer was closed")
                .hasMessageNotContaining("nevertheless");
        assertThat(failure(second.outcome())).isInstanceOf(NoOutcomeException.class);
    }

    @Test
    void names_the_requests_that_the_caller_passes_as_after() {
        var unused = producer.publish(request("r-1"), List.of("r-0", "of-another"));

        assertThat(after(0)).containsExactly("r-0", "of-another");
        assertThat(failure(producer.publish(request("r-2"), List.of("r-2"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("after must not name the request itself");
    }

    @Test
    void new_ids_sort() {
        assertThat(producer.newRequestId()).isLessThan(producer.newRequestId());
    }

    private void publish(Outcome outcome) {
        kafka.append(0, outcome.requestId(), OutcomeTexts.json(outcome));
        kafka.read();
    }

    private static RenameRequest request(String id) {
        return new RenameRequest(id, "files", "/a", "/b", OnExisting.FAIL, null);
    }

    private static @Nullable Throwable failure(CompletableFuture<?> future) {
        try {
            Object ended = future.get(120, SECONDS);
            throw new AssertionError("ended with " + ended);
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> headers(ProducerRecord<String, byte[]> event) {
        Map<String, String> headers = new TreeMap<>();
        event.headers().forEach(h -> headers.put(h.key(), new String(h.value(), StandardCharsets.UTF_8)));
        return headers;
    }

    @Test
    void names_an_open_request_of_the_same_key_after_partitions_were_added() throws Exception {
        var first = producer.send(request("r-1"));
        awaitSent(1);
        var second = producer.send(request("r-2"));
        awaitSent(2);

        kafka.partitionsOfRequests(1_000);
        var third = producer.send(request("r-3"));
        awaitSent(3);

        assertThat(List.of(first, second, third)).noneMatch(CompletableFuture::isDone);
        assertThat(kafka.sent()).extracting(ProducerRecord::key).containsOnly("files/a");
        assertThat(kafka.sent().get(1).partition()).isZero();
        assertThat(kafka.sent().get(2).partition()).isPositive();
        assertThat(after(1)).isEmpty();
        assertThat(after(2)).containsExactly("r-1", "r-2");
    }
}
