package org.treerename.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;
import org.treerename.kafka.RequestCodec.Decoded;
import org.treerename.request.ParsedRequest;
import org.treerename.store.Sha256;

/**
 * A record of the topic {@link Installation#deadLetters}. The original record is in the topic {@link
 * Installation#requests}. A dead letter contains the key, the value and the headers of the original record. Additional
 * headers contain the position of the original record, and the reason for the dead letter.
 */
public final class DeadLetter {

    /** The header with the reason for the dead letter, as a code for programs. */
    public static final String REASON = "dlt-reason";

    /** The header with the reason as a sentence for people, if the code alone is not enough. */
    public static final String MESSAGE = "dlt-message";

    /** The header with the topic of the original record. */
    public static final String TOPIC = "dlt-topic";

    public static final String PARTITION = "dlt-partition";
    public static final String OFFSET = "dlt-offset";

    private static final int DIGEST_BYTES = 16;

    private final ConsumerRecord<byte[], byte[]> message;

    /** Creates a dead letter from a record of the topic {@link Installation#deadLetters}. */
    public DeadLetter(ConsumerRecord<byte[], byte[]> message) {
        this.message = message;
    }

    public int partition() {
        return message.partition();
    }

    public long offset() {
        return message.offset();
    }

    /** Returns the time stamp of the dead letter. */
    public Instant at() {
        return Instant.ofEpochMilli(message.timestamp());
    }

    /** Returns the key, decoded as UTF-8; empty if the dead letter has no key. */
    public Optional<String> key() {
        return Optional.ofNullable(message.key()).map(DeadLetter::text);
    }

    /** Returns the headers in their order; a name may occur several times. */
    public List<Map.Entry<String, String>> headers() {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        message.headers().forEach(header -> headers.add(Map.entry(header.key(), text(header.value()))));
        return headers;
    }

    /** Returns the position of the dead letter in its topic, as {@code partition@offset}. */
    public String place() {
        return partition() + "@" + offset();
    }

    /**
     * Returns the last value of this header; an empty text if there is none. The headers of the original record come
     * before the additional headers of the dead letter.
     */
    public String header(String name) {
        return headers().stream()
                .filter(header -> header.getKey().equals(name))
                .reduce((first, second) -> second)
                .map(Map.Entry::getValue)
                .orElse("");
    }

    /** Returns the first 128 bits of a hash of the position and the value of the original record, in hexadecimal. */
    public String originDigest() {
        String topic = header(TOPIC);
        String origin = topic.isEmpty()
                ? message.topic() + "-" + place()
                : topic + "-" + header(PARTITION) + "@" + header(OFFSET);
        byte[] value = message.value() == null ? new byte[0] : message.value();
        return Sha256.hex(origin.getBytes(StandardCharsets.UTF_8), new byte[] {0}, value)
                .substring(0, 2 * DIGEST_BYTES);
    }

    public Decoded decoded() {
        return RequestCodec.read(message);
    }

    /** Returns the request id; empty if the dead letter has no usable request id. */
    public Optional<String> requestId() {
        return decoded() instanceof Decoded.Usable usable
                ? Optional.of(usable.asked()).map(ParsedRequest::requestId)
                : Optional.empty();
    }

    /** Returns the value, decoded as UTF-8; empty if the dead letter has no value. */
    public String text() {
        return text(message.value());
    }

    private static String text(byte @Nullable [] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }
}
