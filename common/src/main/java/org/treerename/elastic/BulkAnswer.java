package org.treerename.elastic;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.treerename.store.NoAnswerException;

/** Reads the answer to a bulk item by item. Builds no JSON tree for an item that contains only a status. */
final class BulkAnswer {

    private static final JsonNode NOTHING_ELSE = Json.object();
    private static final String STATUS = "status";
    private static final int NO_STATUS = 0;

    private BulkAnswer() {}

    /** Returns the items in the order of the answer; an empty list if the answer contains no items. */
    static List<Bulk.Item> items(Elastic.Answer answer) {
        List<Bulk.Item> items = new ArrayList<>();
        try (JsonParser parser = Json.MAPPER.createParser(answer.body())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new NoAnswerException("the answer to a bulk request is not a JSON object", null);
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean found = parser.currentName().equals("items");
                if (parser.nextToken() == JsonToken.START_ARRAY && found) {
                    while (parser.nextToken() == JsonToken.START_OBJECT) {
                        items.add(item(parser));
                    }
                } else {
                    parser.skipChildren();
                }
            }
            return items;
        } catch (IOException e) {
            throw new NoAnswerException("the answer to a bulk request is not JSON: " + e.getMessage(), e);
        }
    }

    /** Reads one item: an object whose only field has the name of the operation. Leaves the parser at its end. */
    private static Bulk.Item item(JsonParser parser) throws IOException {
        int status = NO_STATUS;
        ObjectNode others = null;
        parser.nextToken();
        parser.nextToken();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            if (field.equals(STATUS)) {
                status = parser.getIntValue();
            } else {
                others = others == null ? Json.object() : others;
                others.set(field, parser.<JsonNode>readValueAsTree());
            }
        }
        if (status == NO_STATUS) {
            throw new NoAnswerException("an item in the answer to a bulk request has no status", null);
        }
        parser.nextToken();
        return new Bulk.Item(status, others == null ? NOTHING_ELSE : others);
    }
}
