package org.treerename.producer.reader;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;
import org.treerename.path.Notation;
import org.treerename.producer.reader.CommittedRename.Replaced;
import org.treerename.store.Version;

/**
 * A view and the position of its next page, encoded as one word of letters, digits, hyphens and underscores. A client
 * receives the token with one page, and sends the token to request the next page. The token is not signed, so the
 * program that receives a token must know that it has created the token.
 */
public record ViewToken(SavedView view, Position next) {

    private static final JsonMapper JSON = new JsonMapper();

    /** The largest size of the decompressed contents of a token, so that a short token cannot fill the memory. */
    private static final int MOST_BYTES = 1024 * 1024;

    public String text() {
        ObjectNode json = JSON.createObjectNode()
                .put("n", view.namespace())
                .put("p", view.path())
                .put("t", view.pointInTime())
                .put("c", view.isConsistent())
                .put("u", next.unopened())
                .put("f", next.from())
                .put("h", next.phase());
        ArrayNode renames = json.putArray("r");
        for (CommittedRename rename : view.renames()) {
            ObjectNode one = renames.addObject()
                    .put("i", rename.requestId())
                    .put("s", rename.source().text())
                    .put("d", rename.destination().text())
                    .put("q", rename.decidedIn().seqNo())
                    .put("t", rename.decidedIn().primaryTerm());
            ArrayNode replaced = one.putArray("r");
            rename.replaced().forEach(document -> replaced.add(document.index()).add(document.id()));
        }
        ArrayNode open = json.putArray("o");
        next.open().forEach(at -> open.addObject().put("r", at.region()).put("a", at.after()));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflated = new DeflaterOutputStream(bytes)) {
            deflated.write(JSON.writeValueAsBytes(json));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
    }

    /**
     * Decodes a token. The paths in the token have this notation.
     *
     * @throws IllegalArgumentException if the text is not a token
     */
    public static ViewToken of(String text, Notation notation) {
        try {
            JsonNode json = JSON.readTree(inflated(Base64.getUrlDecoder().decode(text)));
            List<CommittedRename> renames = new ArrayList<>();
            json.required("r").forEach(rename -> renames.add(rename(rename, notation)));
            List<Position.At> open = new ArrayList<>();
            json.required("o")
                    .forEach(at -> open.add(new Position.At(at.required("r").asInt(), textOrNull(at.required("a")))));
            return new ViewToken(
                    new SavedView(
                            json.required("n").asText(),
                            notation.path(json.required("p").asText()).text(),
                            json.required("t").asText(),
                            json.required("c").asBoolean(),
                            renames),
                    new Position(
                            json.required("u").asInt(),
                            open,
                            textOrNull(json.required("f")),
                            json.required("h").asInt()));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the token of a page must be a token that an earlier page returned;"
                            + " request the first page again",
                    e);
        }
    }

    private static CommittedRename rename(JsonNode json, Notation notation) {
        List<Replaced> replaced = new ArrayList<>();
        JsonNode names = json.required("r");
        for (int i = 0; i + 1 < names.size(); i += 2) {
            replaced.add(new Replaced(names.path(i).asText(), names.path(i + 1).asText()));
        }
        return new CommittedRename(
                json.required("i").asText(),
                notation.path(json.required("s").asText()),
                notation.path(json.required("d").asText()),
                replaced,
                new Version(json.required("q").asLong(), json.required("t").asLong()));
    }

    private static @Nullable String textOrNull(JsonNode json) {
        return json.isTextual() ? json.textValue() : null;
    }

    private static byte[] inflated(byte[] bytes) throws IOException {
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
            byte[] read = in.readNBytes(MOST_BYTES + 1);
            if (read.length > MOST_BYTES) {
                throw new IOException("a token must contain at most " + MOST_BYTES + " bytes");
            }
            return read;
        }
    }
}
