package org.treerename.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KustomizationTest {

    @TempDir
    private Path folder;

    /**
     * The expected file is the output of {@code kubectl kustomize} 1.32 (Kustomize 5.5). From this output, the test
     * removes only the hash in the name of the generated ConfigMap.
     */
    @Test
    void a_folder_is_built_as_kubectl_builds_it() throws IOException {
        Path rooms = Project.resource("rooms");

        Set<JsonNode> built = new HashSet<>();
        Kustomization.build(rooms).all().forEach(manifest -> built.add(manifest.json()));

        String text = Yaml.text(rooms.resolve("built-by-kubectl.yaml"));
        assertThat(text).contains("lines-bhmbth2h6t");
        Path expected = Files.writeString(folder.resolve("expected.yaml"), text.replace("lines-bhmbth2h6t", "lines"));
        assertThat(built).isEqualTo(new HashSet<>(Yaml.documents(expected)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "namePrefix: x | namePrefix in the kustomization",
                "patches: [{ target: { kind: ConfigMap, name: b }, patch: '[]' }] | matches no ConfigMap b",
                "patches: [{ target: { kind: ConfigMap, group: g }, patch: '[]' }] | group in the kustomization",
                "patches: [{ target: { kind: ConfigMap }, patch: '{ data: { a: [] } }' }] | a is a list",
                "images: [{ name: a, digest: b }] | digest in the kustomization",
                "labels: [{ pairs: {}, includeSelectors: true }] | includeSelectors in the kustomization",
                "configMapGenerator: [{ name: b, literals: [] }] | literals in the kustomization",
                "configMapGenerator: [{ name: a, files: [a.yaml] }] | exists already",
                "configMapGenerator: [{ name: b, behavior: merge }] | no ConfigMap b to merge",
                "configMapGenerator: [{ name: a, behavior: replace }] | is not supported",
                "configMapGenerator: [{ name: b, files: [../b.yaml] }] | is not below",
                "replacements: [{ source: { kind: ConfigMap, name: b, fieldPath: data.a }, targets: [] }] | has no source",
                "replacements: [{ source: { kind: ConfigMap, name: a, fieldPath: data.a }, targets: [{ select: { kind: ConfigMap }, fieldPaths: [data.a] }] }] | must have the index -1"
            })
    void a_step_that_it_cannot_build_like_kubectl_is_refused(String step, String words) throws IOException {
        Files.writeString(
                folder.resolve("a.yaml"), "{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { a: b } }");
        Files.writeString(folder.resolve("kustomization.yaml"), "resources: [a.yaml]\n" + step + "\n");

        assertThatThrownBy(() -> Kustomization.build(folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    @Test
    void a_duplicate_key_is_refused() throws IOException {
        Files.writeString(folder.resolve("a.yaml"), "kind: ConfigMap\ndata: { a: b, a: c }\n");
        Files.writeString(folder.resolve("kustomization.yaml"), "resources: [a.yaml]\n");

        assertThatThrownBy(() -> Kustomization.build(folder)).hasMessageContaining("duplicate key a");
    }
}
