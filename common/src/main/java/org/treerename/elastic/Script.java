package org.treerename.elastic;

import co.elastic.clients.elasticsearch.core.bulk.UpdateAction;
import co.elastic.clients.json.JsonData;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A Painless script that this class reads from a resource. Each request contains the source of the script.
 * Elasticsearch stores no script, so no script can be lost or overwritten. All variable values are parameters, so
 * Elasticsearch compiles the script only once.
 */
enum Script {
    ACQUIRE_LOCK("acquire-lock.painless"),
    RELEASE_LOCK("release-lock.painless"),
    READ("read.painless"),
    RAISE_WATERMARK("raise-watermark.painless"),
    LONGEST_PATH("longest-path.painless");

    private final String source;

    Script(String resource) {
        this.source = Json.text(resource)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("//"))
                .collect(Collectors.joining("\n"));
    }

    co.elastic.clients.elasticsearch._types.Script with(JsonNode params) {
        Map<String, JsonData> values = new LinkedHashMap<>();
        params.properties().forEach(param -> values.put(param.getKey(), JsonData.of(param.getValue())));
        return co.elastic.clients.elasticsearch._types.Script.of(script ->
                script.lang("painless").source(s -> s.scriptString(source)).params(values));
    }

    /** Returns an update that runs this script and returns the document. If there is no document, creates one. */
    UpdateAction<JsonNode, JsonNode> upsert(JsonNode params) {
        return UpdateAction.of(action -> action.script(with(params))
                .scriptedUpsert(true)
                .upsert(Json.object())
                .source(source -> source.fetch(true)));
    }
}
