package org.treerename.checker;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** The holds and the claims of each path, from the lock tables of the control index, after a refresh. */
public record LockDump(List<Hold> holds, List<Claim> claims) {

    /** The hold of one attempt on one path. */
    public record Hold(String namespace, String path, String mode, String holdId, String requestId, String processId) {}

    /** The claim of a refused request on one path. */
    public record Claim(String namespace, String path, String mode, String requestId) {}

    public LockDump {
        holds = List.copyOf(holds);
        claims = List.copyOf(claims);
    }

    /** Returns the holds and claims of these namespaces. */
    LockDump in(Set<String> namespaces) {
        return new LockDump(
                holds.stream()
                        .filter(hold -> namespaces.contains(hold.namespace()))
                        .toList(),
                claims.stream()
                        .filter(claim -> namespaces.contains(claim.namespace()))
                        .toList());
    }

    public static LockDump read(ElasticsearchHttp http) {
        return of(ControlDocuments.ofKind(http, "lock"));
    }

    /**
     * Returns the holds and claims in these lock tables. The hold on a document's path may be in two tables: the table
     * of this path, and the table of the group that contains the first segment of the path. The result contains the
     * hold once.
     */
    static LockDump of(List<JsonNode> tables) {
        Set<Hold> holds = new LinkedHashSet<>();
        Set<Claim> claims = new LinkedHashSet<>();
        for (JsonNode table : tables) {
            String namespace = table.required("namespace").asText();
            table.path("holds")
                    .properties()
                    .forEach(hold -> eachPath(
                            hold.getValue(),
                            (path, mode) -> holds.add(new Hold(
                                    namespace,
                                    path,
                                    mode,
                                    hold.getKey(),
                                    hold.getValue().required("request_id").asText(),
                                    hold.getValue().required("process_id").asText()))));
            table.path("claims")
                    .properties()
                    .forEach(claim -> eachPath(
                            claim.getValue(),
                            (path, mode) -> claims.add(new Claim(namespace, path, mode, claim.getKey()))));
        }
        return new LockDump(List.copyOf(holds), List.copyOf(claims));
    }

    private static void eachPath(JsonNode entry, BiConsumer<String, String> action) {
        entry.required("x").forEach(path -> action.accept(path.asText(), "exclusive"));
        entry.required("s").forEach(path -> action.accept(path.asText(), "shared"));
    }
}
