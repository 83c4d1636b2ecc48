package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.treerename.elastic.VersionSupport;
import org.treerename.kafka.KafkaVersion;

/** Tests that the programs and the pages name the tested versions of the servers, and the version of this project. */
class RequirementsTest {

    /** The places of the version of this project, in files that Maven does not fill in. */
    private static final Map<String, String> NAMED = Map.of(
            "README.md", "Version (\\S+) is not released",
            "SECURITY.md", "Version (\\S+) is not released",
            "CHANGELOG.md", "## (\\S+) \\(unreleased\\)",
            "deploy/docs/quick-start.md", "tree-rename-(\\d[\\d.]*\\d)",
            "rename-producer/docs/library.md", "<version>([^<]+)</version>",
            "deploy/run/kubernetes/components/release/kustomization.yaml", "(?:newTag|/version): (\\S+)",
            "deploy/use/distribution/src/main/files/schemas/asyncapi.yaml", "\n  version: (\\S+)");

    private static String text(String file) throws IOException {
        return Files.readString(ScriptFolder.repository().resolve(file));
    }

    private static String property(String name) throws IOException {
        Matcher found = Pattern.compile("<" + name + ">([^<]+)</" + name + ">").matcher(text("pom.xml"));
        assertThat(found.find()).as(name).isTrue();
        return found.group(1);
    }

    /** Returns the cells of the first table row that begins with this text. */
    private static List<String> row(String page, String first) throws IOException {
        return text(page)
                .lines()
                .filter(line -> line.startsWith("| " + first + " |"))
                .map(line -> List.of(line.strip().split(" *\\| *")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void the_programs_know_the_tested_versions() throws IOException {
        assertThat(VersionSupport.TESTED).isEqualTo(property("elasticsearch.server.version"));
        assertThat(VersionSupport.OLDEST_TESTED).isEqualTo(property("elasticsearch.oldest.version"));
        assertThat(VersionSupport.NEWEST_TESTED).isEqualTo(property("elasticsearch.newest.version"));
        assertThat(KafkaVersion.TESTED).isEqualTo(property("kafka.version"));
    }

    private static String elasticsearchVersions() {
        return VersionSupport.OLDEST_TESTED + ", " + VersionSupport.TESTED + " and " + VersionSupport.NEWEST_TESTED;
    }

    @Test
    void the_pages_name_the_tested_versions() throws IOException {
        String page = "deploy/docs/requirements.md";
        assertThat(row(page, "Elasticsearch")).element(2).isEqualTo(VersionSupport.SUPPORTED);
        assertThat(row(page, "Elasticsearch")).element(3).isEqualTo(elasticsearchVersions());
        assertThat(row(page, "Kafka")).element(3).isEqualTo(KafkaVersion.TESTED);
        assertThat(row("README.md", "Elasticsearch").get(2))
                .startsWith(VersionSupport.SUPPORTED + "; " + elasticsearchVersions() + " are ");
        assertThat(text("deploy/use/distribution/src/main/files/README"))
                .contains("Elasticsearch " + VersionSupport.SUPPORTED + ",");
        assertThat(row("README.md", "Kafka").get(2)).contains(KafkaVersion.TESTED + " is tested");
    }

    @Test
    void the_pages_and_the_manifests_name_the_version_of_the_project() throws IOException {
        Matcher own = Pattern.compile("<artifactId>tree-rename</artifactId>\\s*<version>([^<]+)<")
                .matcher(text("pom.xml"));
        assertThat(own.find()).isTrue();
        for (Map.Entry<String, String> named : NAMED.entrySet()) {
            assertThat(Pattern.compile(named.getValue())
                            .matcher(text(named.getKey()))
                            .results())
                    .as(named.getKey())
                    .extracting(version -> version.group(1))
                    .isNotEmpty()
                    .containsOnly(own.group(1));
        }
    }
}
