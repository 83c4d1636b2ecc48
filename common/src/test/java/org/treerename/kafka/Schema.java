package org.treerename.kafka;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.InputStream;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Validates texts against one of the published JSON Schemas. */
public final class Schema {

    static final Schema REQUEST = new Schema("rename-request.schema.json");
    public static final Schema OUTCOME = new Schema("rename-outcome.schema.json");
    static final Schema PROGRESS = new Schema("rename-progress.schema.json");

    private final JsonSchema schema;

    private Schema(String resource) {
        InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream(resource), resource);
        SchemaValidatorsConfig config =
                SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();
        schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(in, config);
    }

    /** Returns the violations of the schema in a text; an empty set if the text is valid. */
    public Set<String> problems(String json) {
        Set<String> problems = new TreeSet<>();
        for (ValidationMessage message : schema.validate(json, InputFormat.JSON)) {
            problems.add(message.getMessage());
        }
        return problems;
    }
}
