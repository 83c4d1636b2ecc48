package org.treerename.worker;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.treerename.path.Namespace;
import org.treerename.rename.ParsedRequest.RenameRequest;
import org.treerename.wire.RequestCodec;
import org.treerename.wire.RequestCodec.Decoded;

/** A record that was taken out of the log, and what it turned out to be. */
record ReceivedRecord(ConsumerRecord<byte[], byte[]> message, Decoded decoded) {

    static ReceivedRecord of(ConsumerRecord<byte[], byte[]> message) {
        return new ReceivedRecord(message, RequestCodec.read(message));
    }

    /**
     * What it must not be carried beside.
     *
     * @param known the definitions of namespaces, as far as they are known without asking anybody
     */
    Footprint footprint(Function<String, Optional<Namespace>> known) {
        return decoded instanceof Decoded.Usable usable && usable.asked() instanceof RenameRequest request
                ? Footprint.of(request, known)
                : new Footprint.Nothing();
    }

    /** The requests that are to end before it begins; most name none. */
    List<String> after() {
        return decoded instanceof Decoded.Usable usable ? usable.after() : List.of();
    }

    /**
     * The id of its request.
     *
     * @throws IllegalStateException if it has none
     */
    String requestId() {
        if (decoded instanceof Decoded.Usable usable) {
            return usable.asked().requestId();
        }
        throw new IllegalStateException(this + " has no request id");
    }

    /** The id of its request, or its place in the log if it has none. */
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
