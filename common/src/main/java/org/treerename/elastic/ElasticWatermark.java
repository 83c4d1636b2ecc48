package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Watermark;
import org.treerename.store.NoAnswerException;

/**
 * Stores the watermark in the control index. The id of the document is {@code watermark:requests}. Both times are in
 * milliseconds; {@code written_at} is a time of the clock of Elasticsearch:
 *
 * <pre>{@code
 * { "kind": "watermark", "protocol": 1, "at": 0, "written_at": 0 }
 * }</pre>
 *
 * Only the script {@code raise-watermark.painless} writes this document.
 */
public final class ElasticWatermark implements Watermark {

    private static final String ID = "watermark:requests";

    /** The maximum number of retries by Elasticsearch after a conflict with another janitor. */
    private static final int RETRIES = 20;

    private final ControlIndex control;

    public ElasticWatermark(ControlIndex control) {
        this.control = control;
    }

    @Override
    public Mark raise(Instant to) {
        Bulk bulk = new Bulk();
        bulk.update(
                ID,
                RETRIES,
                Script.RAISE_WATERMARK.upsert(
                        Json.object().put("protocol", ControlIndex.PROTOCOL).put("at", to.toEpochMilli())));
        Bulk.Item item = control.send(bulk).getFirst();
        if (!item.isOk()) {
            throw item.failure();
        }
        JsonNode stored = source(item);
        return new Mark(at(stored), instant(stored, "written_at"));
    }

    /** Adds an item to a bulk. The item reads the watermark, on the same shard as the other items of the bulk. */
    static void addReading(Bulk bulk) {
        bulk.reading(ID);
    }

    /** Returns whether an entry is expired according to the watermark in the result of a read item. */
    static boolean covers(Bulk.Item item, JournalEntry entry) {
        if (item.isAbsent()) {
            return false;
        }
        if (!item.isOk()) {
            throw item.failure();
        }
        return entry.isCoveredBy(at(source(item)));
    }

    private static JsonNode source(Bulk.Item item) {
        if (!item.source().isObject()) {
            throw new NoAnswerException("expected the watermark in the answer of Elasticsearch, found none", null);
        }
        ControlIndex.refuseLater(item.source());
        return item.source();
    }

    private static Instant at(JsonNode json) {
        return instant(json, "at");
    }

    private static Instant instant(JsonNode json, String field) {
        return Instant.ofEpochMilli(json.required(field).asLong());
    }
}
