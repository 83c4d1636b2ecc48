package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.kafka.KafkaRequestLog;
import org.treerename.testservers.TestServers;

/**
 * Tests that journal entries are deleted after their retention. A request that is delivered again after the deletion
 * has no effect.
 */
final class ExpiryIT {

    /** A partition that contains no request of this test. */
    private static final int OTHER_PARTITION = 7;

    private static Log topics;

    @BeforeAll
    static void start() {
        Tree.create();
        topics = Log.open();
    }

    @AfterAll
    static void stop() {
        topics.close();
    }

    @Test
    void rejects_a_record_as_expired_that_is_delivered_after_its_entry_was_deleted() {
        Tree tree = Tree.create().directories("/a", "/c").files("/a/f", "/c/f").index();
        List<ObjectNode> requests = List.of(
                Requests.rename(tree.name(), "/a", "/b"),
                Requests.rename(tree.name(), "/c", "/d"),
                Requests.rename(tree.name(), "/nothing", "/e"));
        Group group = Group.atTheEndOfTheLog();
        List<RecordMetadata> places;
        try (Janitors janitors = Janitors.start(1, "--journal-retention=1s", group.option());
                Workers workers = Workers.start(1, group.option(), "--lease=2s")) {
            places = processed(requests, group, workers);
            assertThat(requests)
                    .as("entries that the janitors %s keep as long as the topic keeps the records", janitors.ids())
                    .allMatch(ExpiryIT::isKnown);
            awaitDeleted(requests);
        }
        tree.directories("/a", "/c").files("/a/f", "/c/f").index();
        SortedMap<String, Long> versions = tree.versionsBelow("");

        try (Workers workers = Workers.start(1, Group.rewoundTo(places).option(), "--lease=2s")) {
            for (ObjectNode request : requests) {
                JsonNode outcome = outcome(request, 2);
                assertThat(outcome.path("status").asText())
                        .as("status of %s, with the workers %s", request, workers.ids())
                        .isEqualTo("rejected");
                assertThat(outcome.path("reason").asText()).isEqualTo("expired");
            }
        }

        assertThat(versions).hasSize(8);
        assertThat(tree.versionsBelow("")).isEqualTo(versions);
        tree.assertNothingLeft();
    }

    @Test
    void knows_whether_a_group_has_finished_the_requests_before_a_time() {
        Group unfinished = Group.atTheEndOfTheLog();
        RecordMetadata place = topics.send(OTHER_PARTITION, null, new byte[0]);
        Group finished = Group.atTheEndOfTheLog();
        Instant appendedAt = Instant.ofEpochMilli(place.timestamp());

        assertThat(isFinishedBefore(unfinished, appendedAt)).isTrue();
        assertThat(isFinishedBefore(unfinished, appendedAt.plusMillis(1))).isFalse();
        assertThat(isFinishedBefore(finished, appendedAt.plusMillis(1))).isTrue();
    }

    private static boolean isFinishedBefore(Group group, Instant time) {
        try (KafkaRequestLog log =
                KafkaRequestLog.connect(KafkaClientSettings.of(TestServers.kafkaBootstrapServers()), group.id())) {
            return log.isFinishedBefore(time);
        }
    }

    /**
     * Sends the requests. Waits until a worker has processed the requests and committed the offsets of their records.
     * Returns the positions of the records.
     */
    private static List<RecordMetadata> processed(List<ObjectNode> requests, Group group, Workers workers) {
        List<RecordMetadata> places = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            places.add(topics.send(i % 2, null, requests.get(i).toString().getBytes(StandardCharsets.UTF_8)));
        }
        requests.forEach(
                request -> assertThat(outcome(request, 1).path("reason").asText())
                        .as("reason, with the workers %s", workers.ids())
                        .isNotEqualTo("expired"));
        Awaitility.await("the offsets of the records are committed")
                .atMost(Log.PATIENCE)
                .until(() -> places.stream().allMatch(group::isPast));
        return places;
    }

    /** Waits until the entries of the requests are deleted. No record is sent in this time. */
    private static void awaitDeleted(List<ObjectNode> requests) {
        try (ShortRetention retention = ShortRetention.of(Duration.ofSeconds(1))) {
            Awaitility.await("the entries are deleted after " + retention.length())
                    .atMost(Log.PATIENCE)
                    .until(() -> requests.stream().noneMatch(ExpiryIT::isKnown));
        }
    }

    private static boolean isKnown(ObjectNode request) {
        return Es.entry(Requests.id(request)).isPresent();
    }

    private static JsonNode outcome(ObjectNode request, int n) {
        try {
            return Es.JSON.readTree(topics.outcomeText(Requests.id(request), n));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
