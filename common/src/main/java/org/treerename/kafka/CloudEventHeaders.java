package org.treerename.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Creates the headers of a record, as the Kafka binding of CloudEvents 1.0 (binary mode) defines them.
 *
 * @see <a href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md">the
 *     binding</a>
 */
public final class CloudEventHeaders {

    public static final String REQUESTED = "org.treerename.rename.requested.v1";
    public static final String PROGRESSED = "org.treerename.rename.progressed.v1";
    public static final String ENDED = "org.treerename.rename.ended.v1";

    private CloudEventHeaders() {}

    /**
     * Returns the headers of one event.
     *
     * @param id the id of the event; an event that is sent again has the same id
     * @param source the service that publishes the event
     */
    public static List<Header> of(String type, String id, String source, Instant time) {
        return List.of(
                header("ce_specversion", "1.0"),
                header("ce_type", type),
                header("ce_id", id),
                header("ce_source", source),
                header("ce_time", time.toString()),
                header("content-type", "application/json"));
    }

    private static Header header(String key, String value) {
        return new RecordHeader(key, value.getBytes(StandardCharsets.UTF_8));
    }
}
