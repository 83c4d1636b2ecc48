package org.treerename.elastic;

import co.elastic.clients.json.JsonpMapper;
import co.elastic.clients.json.JsonpSerializable;
import co.elastic.clients.json.jackson.JacksonJsonpMapper;
import jakarta.json.stream.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;

/** Writes the requests of the typed client as JSON in ASCII. {@link Json} gives the reason for ASCII. */
final class TypedJson {

    /**
     * The mapper of the typed client. The constructor of {@link JacksonJsonpMapper} changes the settings of its
     * argument. So the argument is a copy of {@link Json#MAPPER}.
     */
    static final JsonpMapper MAPPER = new JacksonJsonpMapper(Json.MAPPER.copy());

    private TypedJson() {}

    static byte[] bytes(JsonpSerializable body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        write(body, bytes);
        return bytes.toByteArray();
    }

    static void write(Object value, OutputStream out) {
        try (JsonGenerator generator = MAPPER.jsonProvider().createGenerator(out)) {
            MAPPER.serialize(value, generator);
        }
    }
}
