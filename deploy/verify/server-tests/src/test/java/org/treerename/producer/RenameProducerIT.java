package org.treerename.producer;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.treerename.kafka.RequestCodec;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.UuidV7;
import org.treerename.testservers.TestServers;

/** Tests the producer with a real Kafka. {@link PeerWorker} replaces the worker. */
class RenameProducerIT {

    private static final UuidV7 IDS = new UuidV7(new SystemTime(), new java.util.Random());

    private final String servers = TestServers.kafkaBootstrapServers();
    private final ProducerSettings settings = ProducerSettings.of(servers);
    private PeerWorker worker;

    @BeforeEach
    void startWorker() throws Exception {
        worker = new PeerWorker(servers);
    }

    @AfterEach
    void stopWorker() throws Exception {
        worker.close();
    }

    @Test
    void sends_a_request_that_matches_the_schema_and_receives_its_outcome() throws Exception {
        try (RenameProducer producer = RenameProducer.connect(settings)) {
            RenameRequest request =
                    new RenameRequest(producer.newRequestId(), "files", "/ä \"x\"", "/b", OnExisting.REPLACE, null);

            Sent sent = producer.submit(request);
            sent.acknowledged().get(120, SECONDS);
            ConsumerRecord<String, byte[]> event = worker.request(request.requestId());

            assertThat(problems(event.value())).isEmpty();
            assertThat(new String(event.value(), StandardCharsets.UTF_8))
                    .isEqualTo(
                            "{\"request_id\":\"" + request.requestId() + "\",\"namespace\":\"files\",\"source\":"
                                    + "\"/ä \\\"x\\\"\",\"destination\":\"/b\",\"on_existing\":\"replace\",\"requested_by\":null}");
            Map<String, String> headers = headers(event);
            assertThatCode(() -> Instant.parse(headers.remove("ce_time"))).doesNotThrowAnyException();
            assertThat(headers)
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            "ce_specversion", "1.0",
                            "ce_type", "org.treerename.rename.requested.v1",
                            "ce_id", request.requestId(),
                            "ce_source", "/rename-producer",
                            "content-type", "application/json"));

            assertThat(sent.outcome()).isNotDone();
            Outcome outcome = OutcomeTexts.completed(request.requestId(), 5);
            worker.publish(request.requestId(), OutcomeTexts.json(outcome));
            assertThat(sent.outcome().get(120, SECONDS))
                    .isEqualTo(new PublishedOutcome(outcome, OutcomeTexts.json(outcome)));
        }
    }

    @Test
    void receives_the_first_outcome_after_its_start() throws Exception {
        worker.answer(id -> OutcomeTexts.json(OutcomeTexts.completed(id, 1)));
        for (int i = 0; i < 10; i++) {
            try (RenameProducer producer = RenameProducer.connect(settings)) {
                RenameRequest request = request();

                assertThat(producer.send(request).get(120, SECONDS))
                        .isEqualTo(OutcomeTexts.completed(request.requestId(), 1));
            }
        }
    }

    @Test
    void each_of_many_concurrent_requests_receives_its_own_outcome() throws Exception {
        worker.answer(id -> OutcomeTexts.json(OutcomeTexts.rejected(id, Reason.SOURCE_NOT_FOUND, "no " + id)));
        try (RenameProducer producer = RenameProducer.connect(settings)) {
            List<CompletableFuture<Outcome>> futures = new ArrayList<>();
            List<Outcome> expected = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                RenameRequest request = request();
                futures.add(producer.send(request));
                expected.add(OutcomeTexts.rejected(
                        request.requestId(), Reason.SOURCE_NOT_FOUND, "no " + request.requestId()));
            }

            for (int i = 0; i < futures.size(); i++) {
                assertThat(futures.get(i).get(120, SECONDS)).isEqualTo(expected.get(i));
            }
        }
    }

    @Test
    void receives_an_outcome_older_than_the_producer_when_the_worker_publishes_it_again() throws Exception {
        RenameRequest request = request();
        RenameRequest later = request();
        String outcome = OutcomeTexts.json(OutcomeTexts.completed(request.requestId(), 5));
        worker.publish(0, request.requestId(), outcome);
        try (RenameProducer producer = RenameProducer.connect(settings)) {
            CompletableFuture<Outcome> future = producer.send(request);
            CompletableFuture<Outcome> laterFuture = producer.send(later);
            worker.publish(0, later.requestId(), OutcomeTexts.json(OutcomeTexts.completed(later.requestId(), 1)));
            laterFuture.get(120, SECONDS);
            assertThat(future)
                    .as("future of an outcome that is before the later one in the same partition")
                    .isNotDone();

            worker.publish(0, request.requestId(), outcome);

            assertThat(future.get(120, SECONDS)).isEqualTo(OutcomeTexts.completed(request.requestId(), 5));
        }
    }

    @Test
    void receives_an_outcome_in_a_new_partition_that_is_older_than_the_partition_check() throws Exception {
        try (RenameProducer producer = RenameProducer.connect(settings.withPartitionCheck(Duration.ofMillis(200)))) {
            RenameRequest request = request();
            CompletableFuture<Outcome> future = producer.send(request);

            int added = worker.addPartitionOfOutcomes();
            worker.publish(
                    added, request.requestId(), OutcomeTexts.json(OutcomeTexts.completed(request.requestId(), 5)));

            assertThat(future.get(120, SECONDS)).isEqualTo(OutcomeTexts.completed(request.requestId(), 5));
        }
    }

    @Test
    void fails_the_future_of_a_request_that_is_too_large() {
        try (RenameProducer producer = RenameProducer.connect(settings)) {
            RenameRequest large = new RenameRequest(
                    producer.newRequestId(), "files", "/" + "a".repeat(2_000_000), "/b", OnExisting.FAIL, null);

            assertThatThrownBy(() -> producer.send(large).get(120, SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(NoOutcomeException.class)
                    .hasMessageContaining(large.requestId());
        }
    }

    @Test
    void close_fails_the_waiting_futures_and_ends_the_threads() {
        RenameProducer producer = RenameProducer.connect(settings);
        CompletableFuture<Outcome> future = producer.send(request());

        producer.close(Duration.ofSeconds(10));

        assertThat(future).isCompletedExceptionally();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains("rename-outcomes") || name.contains("rename-producer-"));
    }

    /** Uses a new topic name, because the topics of requests and outcomes exist: other tests need these topics. */
    @Test
    void names_a_missing_topic_and_does_not_create_it() throws Exception {
        SystemTime time = new SystemTime();
        String missing = "missing-" + IDS.next();
        try (Consumer<String, String> consumer = new KafkaClients(settings, "missing").consumer();
                Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            assertThatThrownBy(() -> new Connection(settings, time).requireTopic(consumer, missing))
                    .isInstanceOf(CannotConnectException.class)
                    .hasMessage("Kafka at " + servers + " has no topic " + missing
                            + "; create the topic first, or correct the prefix");
            assertThat(admin.listTopics().names().get(120, SECONDS)).doesNotContain(missing);
        }
    }

    /** The broker of this test accepts connections, but never answers. */
    @Test
    void names_a_silent_broker_after_the_timeout_of_the_settings() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            ProducerSettings impatient =
                    ProducerSettings.of(address).withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(2));

            assertThatThrownBy(() -> RenameProducer.connect(impatient))
                    .isInstanceOf(CannotConnectException.class)
                    .hasMessageStartingWith("cannot connect to Kafka at " + address + ": ");
        }
    }

    @Test
    void names_an_invalid_property() {
        assertThatThrownBy(() ->
                        RenameProducer.connect(settings.withClientProperties(Map.of("security.protocol", "NONSENSE"))))
                .isInstanceOf(CannotConnectException.class)
                .hasMessageContaining("security.protocol");
    }

    private static RenameRequest request() {
        return new RenameRequest(IDS.next().toString(), "files", "/a", "/b", OnExisting.FAIL, "me");
    }

    private static Set<?> problems(byte[] request) throws Exception {
        try (InputStream schema =
                Objects.requireNonNull(RequestCodec.class.getResourceAsStream("rename-request.schema.json"))) {
            return JsonSchemaFactory.getInstance(VersionFlag.V202012)
                    .getSchema(schema)
                    .validate(new String(request, StandardCharsets.UTF_8), InputFormat.JSON);
        }
    }

    private static Map<String, String> headers(ConsumerRecord<String, byte[]> event) {
        Map<String, String> headers = new TreeMap<>();
        event.headers().forEach(h -> headers.put(h.key(), new String(h.value(), StandardCharsets.UTF_8)));
        return headers;
    }
}
