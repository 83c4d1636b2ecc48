package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.fuzz.MutatedRecords;
import org.treerename.fuzz.Mutations;
import org.treerename.installation.Installation;
import org.treerename.kafka.DeadLetter;
import org.treerename.kafka.RequestCodec;
import org.treerename.kafka.RequestCodec.Decoded;
import org.treerename.testservers.TestServers;

/**
 * Sends malformed records, mixed with some valid records, to a real worker. Each record leads to an outcome or a dead
 * letter, and no lock or open journal entry is left. The system property {@code fuzz.records} sets the number of
 * records.
 */
final class MutatedRecordsIT {

    private static final Logger log = LoggerFactory.getLogger(MutatedRecordsIT.class);
    private static final int RECORDS = Integer.getInteger("fuzz.records", 150);
    private static final long SEED = 1;
    private static final int DIRECTORIES = 20;
    private static final int PARTITIONS = 8;

    /** A directory that no record names. */
    private static final String OTHER = "/other";

    private enum End {
        OUTCOME,
        REUSED,
        UNUSABLE
    }

    /** A record of this test, as a worker receives it. */
    private record Sent(RecordMetadata place, ConsumerRecord<byte[], byte[]> message) {
        static Sent at(RecordMetadata place, byte[] value) {
            return new Sent(place, new ConsumerRecord<>(place.topic(), place.partition(), place.offset(), null, value));
        }

        byte[] value() {
            return message.value();
        }
    }

    private static Tree tree() {
        Tree tree = Tree.create().directories(OTHER);
        for (int d = 0; d < DIRECTORIES; d++) {
            tree.directories("/d" + d, "/d" + d + "/sub").files("/d" + d + "/f", "/d" + d + "/sub/g");
        }
        return tree.index();
    }

    /**
     * Returns valid requests with all fields. The renames move directories to other paths and back. There are so many
     * requests that few mutated records share an id.
     */
    private static List<String> good(Tree tree) {
        List<String> good = new ArrayList<>();
        for (int i = 0; i < Math.max(1, RECORDS / 2); i++) {
            String here = "/d" + i % DIRECTORIES;
            String there = "/e" + i % DIRECTORIES;
            boolean back = i / DIRECTORIES % 2 == 1;
            ObjectNode request = Requests.rename(tree.name(), back ? there : here, back ? here : there);
            switch (i % 4) {
                case 0 -> request.put("on_existing", "replace").put("requested_by", "me");
                case 1 -> request.putObject("more").putArray("x").add(2.5e3).addNull();
                case 2 ->
                    request.putArray("after").add(request.path("request_id").asText() + "-before");
                default -> request.put("replay_of", "r0").put("version", 17);
            }
            good.add(request.toString());
        }
        return good;
    }

    private static List<Sent> send(Tree tree) throws Exception {
        Mutations values = MutatedRecords.values(SEED, good(tree));
        Mutations traces = MutatedRecords.traces(SEED);
        Random random = new Random(SEED);
        List<byte[]> records = new ArrayList<>();
        List<Future<RecordMetadata>> places = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", TestServers.kafkaBootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                byte[] value = values.next();
                ProducerRecord<byte[], byte[]> message =
                        new ProducerRecord<>(Installation.DEFAULT.requests(), random.nextInt(PARTITIONS), null, value);
                message.headers().add("traceparent", traces.next()).add("tracestate", traces.next());
                records.add(value);
                places.add(producer.send(message));
            }
        }
        List<Sent> sent = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            sent.add(Sent.at(places.get(i).get(), records.get(i)));
        }
        return sent;
    }

    @Test
    void each_record_ends_as_an_outcome_or_a_dead_letter() throws Exception {
        Tree tree = tree();
        try (Log topics = Log.open()) {
            ChangeCheck changeCheck = ChangeCheck.of(tree);
            Group group = Group.atTheEndOfTheLog();
            try (Janitors janitors = Janitors.start(1);
                    Workers workers = Workers.start(2, group.option(), "--after-timeout=1s")) {
                long begun = System.nanoTime();
                List<Sent> sent = send(tree);
                awaitCommitted(group, sent);
                log.info("{} records were processed in {}", RECORDS, Duration.ofNanos(System.nanoTime() - begun));

                topics.catchUp();
                Map<End, Integer> ends = new EnumMap<>(End.class);
                sent.forEach(one -> ends.merge(end(topics, one), 1, Integer::sum));
                log.info("{} records ended as {}", RECORDS, ends);
                // the mutations vary enough only if some records have an outcome and some records are unusable
                assertThat(ends).containsKeys(End.OUTCOME, End.UNUSABLE);

                assertThat(Services.live("worker")).containsAll(workers.ids());
                assertThat(Services.live("janitor")).containsAll(janitors.ids());
                ObjectNode after = Requests.rename(tree.name(), OTHER, OTHER + "-after");
                topics.send(0, after.toString());
                assertThat(topics.outcome(Requests.id(after)).path("status").asText())
                        .isEqualTo("completed");
            }
            changeCheck.assertGood(0);
        }
        tree.assertNothingLeft();
    }

    private static void awaitCommitted(Group group, List<Sent> sent) {
        Map<Integer, RecordMetadata> last = new HashMap<>();
        sent.forEach(one -> last.put(one.place().partition(), one.place()));
        Awaitility.await("the offsets of all records are committed")
                .atMost(Duration.ofMinutes(60))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> last.values().stream().allMatch(group::isPast));
    }

    private static End end(Log topics, Sent sent) {
        return switch (RequestCodec.read(sent.message())) {
            case Decoded.Unusable unusable -> {
                assertDeadLetters(topics, sent, unusable.reason());
                yield End.UNUSABLE;
            }
            case Decoded.Usable usable -> {
                if (!topics.deadLettersRead(sent.place()).isEmpty()) {
                    assertDeadLetters(topics, sent, "request_id_reused");
                    yield End.REUSED;
                }
                assertThat(topics.outcomesRead(usable.asked().requestId()))
                        .as(new String(sent.value(), StandardCharsets.UTF_8))
                        .hasSize(1);
                yield End.OUTCOME;
            }
        };
    }

    private static void assertDeadLetters(Log topics, Sent sent, String reason) {
        assertThat(topics.deadLettersRead(sent.place()))
                .as(new String(sent.value(), StandardCharsets.UTF_8))
                .isNotEmpty()
                .allSatisfy(letter -> {
                    assertThat(Log.header(letter, DeadLetter.REASON)).isEqualTo(reason);
                    assertThat(letter.value()).isEqualTo(sent.value());
                });
    }
}
