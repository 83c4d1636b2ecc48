package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Reads YAML as JSON. This class refuses YAML that contains a key twice. */
final class Yaml {

    private static final ObjectMapper JSON = new ObjectMapper();

    private Yaml() {}

    /** Returns the document of a text that contains exactly one document. */
    static JsonNode parse(String text) {
        return JSON.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(text));
    }

    /** Returns all documents of a file. */
    static List<JsonNode> documents(Path file) {
        Iterable<Object> documents =
                new Load(LoadSettings.builder().setLabel(file.toString()).build()).loadAllFromString(text(file));
        return StreamSupport.stream(documents.spliterator(), false)
                .<JsonNode>map(JSON::valueToTree)
                .toList();
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
