package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import org.treerename.journal.Watermarks;
import org.treerename.request.RecordPosition;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Stores the watermarks in the control index. The id of a watermark is {@code watermark:}, followed by the name of its
 * partition:
 *
 * <pre>{@code
 * { "kind": "watermark", "protocol": 1, "topic": "rename.requests", "partition": 0, "offset": 0 }
 * }</pre>
 */
public final class ElasticWatermarks implements Watermarks {

    private final ControlIndex control;

    public ElasticWatermarks(ControlIndex control) {
        this.control = control;
    }

    private static String id(RecordPosition place) {
        return "watermark:" + place.topicPartition();
    }

    @Override
    public Optional<Versioned<RecordPosition>> read(RecordPosition place) {
        return control.read(id(place)).map(found -> new Versioned<>(place(found.value()), found.version()));
    }

    @Override
    public WriteResult create(RecordPosition watermark) {
        return control.create(id(watermark), json(watermark));
    }

    @Override
    public WriteResult write(RecordPosition watermark, Version seen) {
        return control.write(id(watermark), seen, json(watermark));
    }

    /**
     * Adds an item to a bulk. The item reads the watermark of a partition, on the same shard as the other items of the
     * bulk.
     */
    static void addReading(Bulk bulk, RecordPosition place) {
        bulk.reading(id(place));
    }

    /** Returns whether the result of a read item contains a watermark at or above the position. */
    static boolean covers(Bulk.Item item, RecordPosition place) {
        if (item.isAbsent()) {
            return false;
        }
        if (!item.isOk()) {
            throw item.failure();
        }
        if (!item.source().isObject()) {
            throw new NoAnswerException(
                    "expected the watermark of " + place.topicPartition()
                            + " in the answer of Elasticsearch, found none",
                    null);
        }
        return place.isCoveredBy(place(item.source()));
    }

    private static JsonNode json(RecordPosition watermark) {
        return Json.object()
                .put("kind", "watermark")
                .put("protocol", ControlIndex.PROTOCOL)
                .put("topic", watermark.topic())
                .put("partition", watermark.partition())
                .put("offset", watermark.offset());
    }

    private static RecordPosition place(JsonNode json) {
        ControlIndex.refuseLater(json);
        return new RecordPosition(
                json.required("topic").asText(),
                json.required("partition").asInt(),
                json.required("offset").asLong());
    }
}
