package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;

/**
 * A Painless script that is a resource of its own. It is sent with every use, its varying parts as parameters, so that
 * Elasticsearch compiles it once and no stored script can be lost or overwritten.
 */
enum Script {
    ACQUIRE_LOCK("acquire-lock.painless"),
    RELEASE_LOCK("release-lock.painless"),
    READ("read.painless"),
    LONGEST_PATH("longest-path.painless");

    private final String source;

    Script(String resource) {
        this.source = Json.text(resource)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("//"))
                .collect(Collectors.joining("\n"));
    }

    JsonNode with(JsonNode params) {
        return Json.object().put("lang", "painless").put("source", source).set("params", params);
    }
}
