package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Requires that every pod has resource requests, probes, and only minimal rights. Requires that the cluster can move
 * each pod: the pods are spread over nodes and have a disruption budget.
 */
final class Confinement implements Check {

    /** The required values of each pod, by JSON pointer below /spec/template/spec. */
    private static final Map<String, String> POD = Map.of(
            "/automountServiceAccountToken", "false",
            "/securityContext/runAsNonRoot", "true",
            "/securityContext/seccompProfile/type", "RuntimeDefault");

    private static final Map<String, String> CONTAINER = Map.of(
            "/securityContext/allowPrivilegeEscalation", "false",
            "/securityContext/readOnlyRootFilesystem", "true",
            "/securityContext/capabilities/drop/0", "ALL");

    /** The required fields of each container. */
    private static final List<String> REQUIRED_FIELDS = List.of(
            "/resources/requests/cpu",
            "/resources/requests/memory",
            "/resources/limits/memory",
            "/startupProbe",
            "/livenessProbe",
            "/readinessProbe");

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        for (Manifest deployment : Services.deployments(built)) {
            JsonNode pod = deployment.at("/spec/template/spec");
            POD.forEach((where, value) -> expect(deployment, pod, where, value, problems));
            deployment.containers().forEach(container -> {
                CONTAINER.forEach((where, value) -> expect(deployment, container, where, value, problems));
                REQUIRED_FIELDS.stream()
                        .filter(where -> container.at(where).isMissingNode())
                        .forEach(where -> problems.add(deployment + " has no " + where));
                if (!container.at("/securityContext/capabilities/add").isMissingNode()) {
                    problems.add(deployment + " adds capabilities");
                }
            });
            Stream.of("hostNetwork", "hostPID", "hostIPC")
                    .filter(pod::has)
                    .forEach(host -> problems.add(deployment + " has " + host));
            if (pod.path("volumes").valueStream().noneMatch(volume -> volume.has("emptyDir"))) {
                problems.add(deployment + " has no /tmp to write to");
            }
            if (pod.path("topologySpreadConstraints").isEmpty()) {
                problems.add(deployment + " has no topologySpreadConstraints");
            }
            if (built.of("PodDisruptionBudget").stream()
                    .noneMatch(budget -> built.selected(budget.at("/spec/selector/matchLabels"))
                            .anyMatch(deployment::equals))) {
                problems.add(deployment + " has no PodDisruptionBudget");
            }
            if (built.of("NetworkPolicy").stream().noneMatch(policy -> deniesAll(policy, deployment, built))) {
                problems.add(deployment + ": no NetworkPolicy denies all other traffic");
            }
        }
        for (Manifest account : built.of("ServiceAccount")) {
            expect(account, account.json(), "/automountServiceAccountToken", "false", problems);
        }
        for (Manifest namespace : built.of("Namespace")) {
            expect(
                    namespace,
                    namespace.json(),
                    "/metadata/labels/pod-security.kubernetes.io~1enforce",
                    "restricted",
                    problems);
        }
        if (built.of("Namespace").isEmpty()) {
            problems.add("expected a Namespace that restricts its pods, found none");
        }
        return problems;
    }

    private static boolean deniesAll(Manifest policy, Manifest deployment, Manifests built) {
        return policy.list("/spec/policyTypes").size() == 2
                && policy.at("/spec/ingress").isMissingNode()
                && policy.at("/spec/egress").isMissingNode()
                && built.selected(policy.at("/spec/podSelector/matchLabels")).anyMatch(deployment::equals);
    }

    private static void expect(Manifest of, JsonNode in, String where, String value, List<String> problems) {
        if (!in.at(where).asText().equals(value)) {
            problems.add(of + ": expected " + where + " " + value + ", found \""
                    + in.at(where).asText() + "\"");
        }
    }
}
