package org.treerename.elastic;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.treerename.store.NoAnswerException;

/** The answer to a bulk, item by item. Of an item that tells nothing but its status no tree is made. */
final class BulkAnswer {

    private static final JsonNode NOTHING_ELSE = Json.object();
    private static final String STATUS = "status";
    private static final int NOT_TOLD = 0;

    private BulkAnswer() {}

    /** In the order of the answer; none where it has none. */
    static List<Bulk.Item> items(Elastic.Answer answer) {
        List<Bulk.Item> items = new ArrayList<>();
        try (JsonParser parser = Json.MAPPER.createParser(answer.body())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new NoAnswerException("the answer to a bulk is no JSON object", null);
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
            throw new NoAnswerException("the answer to a bulk is not JSON: " + e.getMessage(), e);
        }
    }

    /** An object with one field, the operation; the parser stands at its beginning, and afterwards at its end. */
    private static Bulk.Item item(JsonParser parser) throws IOException {
        int status = NOT_TOLD;
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
        if (status == NOT_TOLD) {
            throw new NoAnswerException("an item of a bulk was answered without its status", null);
        }
        parser.nextToken();
        return new Bulk.Item(status, others == null ? NOTHING_ELSE : others);
    }
}
