package org.treerename.wire;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.treerename.rename.ParsedRequest.InvalidRequest;
import org.treerename.rename.ParsedRequest.RenameRequest;
import org.treerename.wire.RequestCodec.Decoded;

/** What of a dead letter can be sent once more: its request under another id, or nothing. */
public sealed interface Replay {

    /**
     * The request that is to be sent.
     *
     * @param after the ids of the requests that it is to come after, as it named them
     * @param key as it was; made of the request where there was none
     */
    record Possible(RenameRequest request, List<String> after, String key) implements Replay {

        public Possible {
            after = List.copyOf(after);
        }

        /** The record. */
        public ProducerRecord<byte[], byte[]> message(String source, Instant now) {
            return new ProducerRecord<>(
                    Topics.REQUESTS,
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

    /** No request, or one that can only be rejected. */
    record Impossible(String why) implements Replay {}

    /**
     * Decides it. The id follows from the record that the dead letter was made of. So a record that is replayed twice, or that
     * has two dead letters, is carried out once: the journal answers the second request.
     *
     * @param orderingDepth of the key of a request that had none
     */
    static Replay of(DeadLetter letter, int orderingDepth) {
        return of(letter, "replay-" + letter.originDigest(), orderingDepth);
    }

    /**
     * Decides it under an id of the caller's.
     *
     * @param requestId that no request had before
     * @param orderingDepth of the key of a request that had none
     */
    static Replay of(DeadLetter letter, String requestId, int orderingDepth) {
        return switch (letter.decoded()) {
            case Decoded.Unusable unusable -> new Impossible("its value is no request (" + unusable.reason() + ")");
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
