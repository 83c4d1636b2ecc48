package org.treerename.checker;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/** Who holds and who claims what, out of the lock documents of the control index, after a refresh. */
public record LockDump(List<Hold> holds, List<Claim> claims) {

    /** One attempt's hold of one path. */
    public record Hold(String namespace, String path, String mode, String holdId, String requestId, String processId) {}

    /** What a refused request left at one path. */
    public record Claim(String namespace, String path, String mode, String requestId) {}

    public LockDump {
        holds = List.copyOf(holds);
        claims = List.copyOf(claims);
    }

    /** Those of some namespaces. */
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
        List<JsonNode> locks = ControlDocuments.ofKind(http, "lock");
        return new LockDump(
                locks.stream()
                        .flatMap(lock -> lock.path("holds").properties().stream()
                                .map(hold -> new Hold(
                                        lock.required("namespace").asText(),
                                        lock.required("path").asText(),
                                        hold.getValue().required("mode").asText(),
                                        hold.getKey(),
                                        hold.getValue().required("request_id").asText(),
                                        hold.getValue().required("process_id").asText())))
                        .toList(),
                locks.stream()
                        .flatMap(lock -> lock.path("claims").properties().stream()
                                .map(claim -> new Claim(
                                        lock.required("namespace").asText(),
                                        lock.required("path").asText(),
                                        claim.getValue().required("mode").asText(),
                                        claim.getKey())))
                        .toList());
    }
}
