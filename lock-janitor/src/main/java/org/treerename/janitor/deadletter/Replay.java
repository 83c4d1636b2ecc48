package org.treerename.janitor.deadletter;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.treerename.kafka.CloudEventHeaders;
import org.treerename.kafka.DeadLetter;
import org.treerename.kafka.RequestCodec;
import org.treerename.kafka.RequestCodec.Decoded;
import org.treerename.kafka.RequestKey;
import org.treerename.kafka.TraceHeaders;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.ParsedRequest.RenameRequest;

/** Either the request in a dead letter under a new id, or the reason why the dead letter cannot be replayed. */
public sealed interface Replay {

    /**
     * The request to send.
     *
     * @param after the ids of the requests that must end before this request begins; the dead letter names these ids
     * @param key the key of the record to send: the key of the dead letter, or a key computed from the request if the
     *     dead letter has no key
     */
    record Possible(RenameRequest request, List<String> after, String key) implements Replay {

        public Possible {
            after = List.copyOf(after);
        }

        /** Returns the record that sends the request to this topic. */
        public ProducerRecord<byte[], byte[]> message(String topic, String source, Instant now) {
            return new ProducerRecord<>(
                    topic,
                    null,
                    null,
                    key.getBytes(StandardCharsets.UTF_8),
                    RequestCodec.encode(request, after),
                    TraceHeaders.and(
                            CloudEventHeaders.of(CloudEventHeaders.REQUESTED, request.requestId(), source, now),
                            request.trace()));
        }

        @Override
        public String toString() {
            return request.source() + " to " + request.destination() + " in " + request.namespace() + ", the replay of "
                    + request.replayOf();
        }
    }

    /** The result if the dead letter contains no request, or contains an invalid request. */
    record Impossible(String why) implements Replay {}

    /**
     * Returns the replay of a dead letter. The request id of the replay is computed from the original record. So if a
     * record is replayed twice, or has two dead letters, both replays have the same request id. The rename is processed
     * only once: the worker answers the second replay from the journal.
     *
     * @param orderingDepth the number of segments in the new key; used only if the dead letter has no key
     */
    static Replay of(DeadLetter letter, int orderingDepth) {
        return of(letter, "replay-" + letter.originDigest(), orderingDepth);
    }

    /**
     * Returns the replay of a dead letter under the given id.
     *
     * @param requestId an id that no request had before
     * @param orderingDepth the number of segments in the new key; used only if the dead letter has no key
     */
    static Replay of(DeadLetter letter, String requestId, int orderingDepth) {
        return switch (letter.decoded()) {
            case Decoded.Unusable unusable -> new Impossible("its value is not a request (" + unusable.reason() + ")");
            case Decoded.Usable usable ->
                switch (usable.asked()) {
                    case InvalidRequest invalid -> new Impossible("its request is not valid: " + invalid.problem());
                    case RenameRequest request -> {
                        RenameRequest replay = request.replayedAs(requestId);
                        yield new Possible(
                                replay,
                                usable.after(),
                                letter.key().orElseGet(() -> RequestKey.of(replay, orderingDepth)));
                    }
                };
        };
    }
}
