package org.treerename.manifests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.strimzi.api.kafka.model.kafka.Kafka;
import io.strimzi.api.kafka.model.nodepool.KafkaNodePool;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.user.KafkaUser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Requires that every custom resource has only fields that its operator accepts. The check uses the Java classes of the
 * operator. If no library contains these classes, the check uses a schema of the fields that the manifests need.
 */
final class CustomTypes implements Check {

    private static final Map<String, Class<?>> CLASSES = Map.of(
            "kafka.strimzi.io/v1 Kafka", Kafka.class,
            "kafka.strimzi.io/v1 KafkaNodePool", KafkaNodePool.class,
            "kafka.strimzi.io/v1 KafkaTopic", KafkaTopic.class,
            "kafka.strimzi.io/v1 KafkaUser", KafkaUser.class,
            "monitoring.coreos.com/v1 PodMonitor", PodMonitor.class,
            "monitoring.coreos.com/v1 PrometheusRule", PrometheusRule.class);

    private static final Map<String, JsonSchema> SCHEMAS = Map.of(
            "keda.sh/v1alpha1 ScaledObject", schema("scaled-object.schema.json"),
            "elasticsearch.k8s.elastic.co/v1 Elasticsearch", schema("elasticsearch.schema.json"));

    /** A mapper that refuses unknown fields. By default, the classes of the operators store unknown fields in a map. */
    private static final ObjectMapper STRICT = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .setAnnotationIntrospector(new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1;

                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                    return Boolean.FALSE;
                }
            });

    private static JsonSchema schema(String name) {
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(Yaml.text(Project.resource(name)));
    }

    private static String type(Manifest manifest) {
        return manifest.apiVersion() + " " + manifest.kind();
    }

    static boolean knows(Manifest manifest) {
        return CLASSES.containsKey(type(manifest)) || SCHEMAS.containsKey(type(manifest));
    }

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        for (Manifest manifest : built.all()) {
            Class<?> known = CLASSES.get(type(manifest));
            if (known != null) {
                read(manifest, known, problems);
            }
            JsonSchema schema = SCHEMAS.get(type(manifest));
            if (schema != null) {
                for (ValidationMessage message : schema.validate((JsonNode) manifest.json())) {
                    problems.add(manifest + ": " + message);
                }
            }
        }
        return problems;
    }

    private static void read(Manifest manifest, Class<?> known, List<String> problems) {
        try {
            reportLost(
                    manifest.json(),
                    STRICT.valueToTree(STRICT.treeToValue(manifest.json(), known)),
                    manifest + " ",
                    problems);
        } catch (JsonProcessingException e) {
            problems.add(manifest + ": " + e.getOriginalMessage());
        }
    }

    /** Reports values that the classes accept but do not store, for example a value that an enum does not have. */
    private static void reportLost(JsonNode given, JsonNode kept, String where, List<String> problems) {
        if (given.isObject()) {
            given.propertyStream()
                    .forEach(field -> reportLost(
                            field.getValue(), kept.path(field.getKey()), where + "/" + field.getKey(), problems));
        } else if (given.isArray()) {
            for (int i = 0; i < given.size(); i++) {
                reportLost(given.path(i), kept.path(i), where + "/" + i, problems);
            }
        } else if (!given.asText().equals(kept.asText())) {
            problems.add(where + ": the class of the operator does not support the value " + given);
        }
    }
}
