package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;

/**
 * A Painless script from a resource. Each request contains the script, so no stored script can be lost or overwritten.
 * All variable values are parameters, so Elasticsearch compiles the script only once.
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
