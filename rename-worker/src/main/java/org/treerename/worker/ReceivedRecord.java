package org.treerename.worker;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.treerename.kafka.RequestCodec;
import org.treerename.kafka.RequestCodec.Decoded;
import org.treerename.namespace.Namespace;
import org.treerename.request.ParsedRequest.RenameRequest;

/** A record that the worker received from Kafka, and its decoded request. */
record ReceivedRecord(ConsumerRecord<byte[], byte[]> message, Decoded decoded) {

    static ReceivedRecord of(ConsumerRecord<byte[], byte[]> message) {
        return new ReceivedRecord(message, RequestCodec.read(message));
    }

    /**
     * Returns the footprint of the record's request. A record without a valid request conflicts with no request.
     *
     * @param known the function that returns the definition of a namespace without a request to a server
     */
    Footprint footprint(Function<String, Optional<Namespace>> known) {
        return decoded instanceof Decoded.Usable usable && usable.asked() instanceof RenameRequest request
                ? Footprint.of(request, known)
                : new Footprint.Nothing();
    }

    /** Returns the namespace of the record's request; an empty text if the record contains no valid request. */
    String namespace() {
        return decoded instanceof Decoded.Usable usable && usable.asked() instanceof RenameRequest request
                ? request.namespace()
                : "";
    }

    /** Returns the ids of the predecessors, which must end before this request begins. Most requests have none. */
    List<String> after() {
        return decoded instanceof Decoded.Usable usable ? usable.after() : List.of();
    }

    /**
     * Returns the id of the record's request.
     *
     * @throws IllegalStateException if the record has no request id
     */
    String requestId() {
        if (decoded instanceof Decoded.Usable usable) {
            return usable.asked().requestId();
        }
        throw new IllegalStateException(this + " has no request id");
    }

    /** Returns the id of the record's request, or the position of the record if the record has no request id. */
    String name() {
        return decoded instanceof Decoded.Usable usable ? usable.asked().requestId() : toString();
    }

    int bytes() {
        return Math.max(0, message.serializedValueSize());
    }

    @Override
    public String toString() {
        return message.topic() + "-" + message.partition() + "@" + message.offset();
    }
}
