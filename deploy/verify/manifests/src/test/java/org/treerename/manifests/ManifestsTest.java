package org.treerename.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.installation.Installation;

class ManifestsTest {

    /**
     * Returns the folders of the overlays, and two test folders. The test folders use the components that no overlay
     * uses.
     */
    static Stream<Path> folders() {
        return Stream.of(
                Project.manifests("overlays/dev"),
                Project.manifests("overlays/prod"),
                Project.manifests("overlays/existing-servers"),
                Project.resource("base-with-autoscaling"),
                Project.resource("with-prefix"));
    }

    @ParameterizedTest
    @MethodSource("folders")
    void every_overlay_passes_all_checks(Path folder) {
        Manifests built = Kustomization.build(folder);

        List<String> problems = new Checks().problems(built);

        assertThat(built.of("Deployment")).hasSize(3);
        assertThat(problems).isEmpty();
    }

    @Test
    void the_prefix_is_a_part_of_every_name_in_kafka() {
        Manifests built = Kustomization.build(Project.resource("with-prefix"));

        assertThat(Services.installation(built)).isEqualTo(new Installation("blue"));
        assertThat(built.of("KafkaTopic").stream().map(topic -> topic.text("/spec/topicName")))
                .containsExactlyInAnyOrder(
                        "blue.rename.requests",
                        "blue.rename.outcomes",
                        "blue.rename.progress",
                        "blue.rename.requests-dlt");
        assertThat(built.of("KafkaUser").stream()
                        .flatMap(user -> user.list("/spec/authorization/acls").stream())
                        .map(acl -> acl.at("/resource/name").asText()))
                .isNotEmpty()
                .allMatch(name -> name.startsWith("blue."));
    }

    @Test
    void the_overlay_for_existing_servers_contains_no_server_and_all_parameters() {
        Manifests built = Kustomization.build(Project.manifests("overlays/existing-servers"));

        assertThat(built.all().stream().map(Manifest::kind))
                .doesNotContain("Kafka", "KafkaNodePool", "KafkaTopic", "KafkaUser", "Elasticsearch");
        JsonNode settings = built.find("ConfigMap", "tree-rename").orElseThrow().at("/data");
        assertThat(settings.path("KAFKA_BOOTSTRAP_SERVERS").asText()).startsWith("kafka-1.example.com:9093,");
        assertThat(settings.path("ELASTICSEARCH_URL").asText()).startsWith("https://elasticsearch-1.example.com:9200,");
        assertThat(settings.path("TREE_RENAME_LOG_FORMAT").asText()).isEqualTo("ecs");
        assertThat(built.of("Deployment")).allSatisfy(deployment -> {
            assertThat(deployment.container().path("image").asText()).startsWith("registry.example.com/tree-rename/");
            assertThat(deployment.json().findValuesAsText("name")).contains("kafka-ca", "elasticsearch-ca");
        });
    }

    @Test
    void production_pods_are_spread_over_the_zones() {
        Manifests built = Kustomization.build(Project.manifests("overlays/prod"));

        Stream<JsonNode> pods = Stream.concat(
                built.of("Deployment").stream().map(deployment -> deployment.at("/spec/template/spec")),
                Stream.of(
                        built.of("KafkaNodePool").getFirst().at("/spec/template/pod"),
                        built.of("Elasticsearch").getFirst().at("/spec/nodeSets/0/podTemplate/spec")));

        assertThat(pods)
                .hasSize(5)
                .allSatisfy(pod -> assertThat(pod.path("topologySpreadConstraints"))
                        .anySatisfy(constraint -> {
                            assertThat(constraint.path("topologyKey").asText())
                                    .isEqualTo("topology.kubernetes.io/zone");
                            assertThat(constraint.path("whenUnsatisfiable").asText())
                                    .isEqualTo("DoNotSchedule");
                        }));
        assertThat(built.of("Kafka").getFirst().text("/spec/kafka/rack/topologyKey"))
                .isEqualTo("topology.kubernetes.io/zone");
    }
}
