package org.treerename.manifests;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaim;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscalerBehavior;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Requires that every object of a built-in Kubernetes type has only fields of this type, and has all required fields.
 */
final class KubernetesTypes implements Check {

    /** A type of the Kubernetes API, and the method of the Java client that checks the fields of this type. */
    private record Known(Type type, Fields fields) {}

    private interface Fields {
        void require(JsonElement json) throws IOException;
    }

    private static final Map<String, Known> KNOWN = Map.of(
            "v1 Namespace", new Known(V1Namespace.class, V1Namespace::validateJsonElement),
            "v1 ConfigMap", new Known(V1ConfigMap.class, V1ConfigMap::validateJsonElement),
            "v1 Service", new Known(V1Service.class, V1Service::validateJsonElement),
            "v1 ServiceAccount", new Known(V1ServiceAccount.class, V1ServiceAccount::validateJsonElement),
            "apps/v1 Deployment", new Known(V1Deployment.class, V1Deployment::validateJsonElement),
            "policy/v1 PodDisruptionBudget",
                    new Known(V1PodDisruptionBudget.class, V1PodDisruptionBudget::validateJsonElement),
            "networking.k8s.io/v1 NetworkPolicy",
                    new Known(V1NetworkPolicy.class, V1NetworkPolicy::validateJsonElement),
            "autoscaling/v2 HorizontalPodAutoscaler",
                    new Known(V2HorizontalPodAutoscaler.class, V2HorizontalPodAutoscaler::validateJsonElement));

    /**
     * The parts of custom resources that have a type of the Kubernetes API. The keys are the kind of the resource and
     * the JSON pointer to the part.
     */
    private static final Map<String, Map<String, Known>> PARTS = Map.of(
            "Elasticsearch",
                    Map.of(
                            "/spec/nodeSets/0/podTemplate",
                                    new Known(V1PodTemplateSpec.class, V1PodTemplateSpec::validateJsonElement),
                            "/spec/nodeSets/0/volumeClaimTemplates/0",
                                    new Known(
                                            V1PersistentVolumeClaim.class,
                                            V1PersistentVolumeClaim::validateJsonElement)),
            "ScaledObject",
                    Map.of(
                            "/spec/advanced/horizontalPodAutoscalerConfig/behavior",
                            new Known(
                                    V2HorizontalPodAutoscalerBehavior.class,
                                    V2HorizontalPodAutoscalerBehavior::validateJsonElement)));

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        for (Manifest manifest : built.all()) {
            Known known = KNOWN.get(manifest.apiVersion() + " " + manifest.kind());
            if (known != null) {
                check(manifest.toString(), manifest.json().toString(), known, problems);
            } else if (!CustomTypes.knows(manifest)) {
                problems.add(manifest + ": there is no check for the apiVersion " + manifest.apiVersion());
            }
            PARTS.getOrDefault(manifest.kind(), Map.of())
                    .forEach((pointer, part) ->
                            check(manifest + pointer, manifest.at(pointer).toString(), part, problems));
        }
        return problems;
    }

    private static void check(String where, String json, Known known, List<String> problems) {
        try {
            known.fields().require(JsonParser.parseString(json));
            Object unused = JSON.deserialize(json, known.type());
        } catch (IOException | RuntimeException e) {
            problems.add(where + ": " + e.getMessage());
        }
    }
}
