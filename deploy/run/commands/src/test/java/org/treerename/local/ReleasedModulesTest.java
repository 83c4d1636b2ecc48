package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that a build of the archives and the images downloads neither Elasticsearch nor Kafka's broker. With {@code
 * -am}, Maven also builds every module on which an archive or an image depends in any scope. Only three modules
 * download servers. No archive and no image may depend on them.
 */
class ReleasedModulesTest {

    /** The modules that download the servers of the local stack, and the servers of tests. */
    private static final Set<String> SERVERS = Set.of("local-stack", "kafka-broker", "test-servers");

    private static final Pattern OWN = Pattern.compile("</parent>\\s*<artifactId>([^<]+)</artifactId>");
    private static final Pattern DEPENDENCY =
            Pattern.compile("<groupId>org\\.treerename</groupId>\\s*<artifactId>([^<]+)</artifactId>");

    /** Returns the text of the pom of each module, by the name of the module. */
    private static Map<String, String> modules() throws IOException {
        Map<String, String> modules = new HashMap<>();
        Path root = ScriptFolder.repository();
        try (Stream<Path> files = Files.walk(root, 5)) {
            for (Path pom : (Iterable<Path>) files.filter(
                    file -> file.endsWith("pom.xml") && !file.toString().contains("/src/"))::iterator) {
                String text = Files.readString(pom);
                Matcher own = OWN.matcher(text);
                if (own.find()) {
                    modules.put(own.group(1), text.substring(own.end()));
                }
            }
        }
        return modules;
    }

    /** Returns a module and all modules of the project on which it depends, in any scope. */
    private static Set<String> needed(String module) throws IOException {
        Map<String, String> modules = modules();
        Set<String> needed = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(Set.of(module));
        while (!open.isEmpty()) {
            String next = open.remove();
            if (needed.add(next)) {
                Matcher dependency = DEPENDENCY.matcher(modules.getOrDefault(next, ""));
                while (dependency.find()) {
                    open.add(dependency.group(1));
                }
            }
        }
        return needed;
    }

    @Test
    void the_archives_and_the_images_are_built_without_servers() throws IOException {
        assertThat(needed("distribution"))
                .contains("tree-rename-common", "tree-rename-worker", "tree-rename-janitor")
                .doesNotContainAnyElementsOf(SERVERS);
    }

    @Test
    void the_modules_with_servers_are_known() throws IOException {
        Set<String> downloading = new TreeSet<>();
        modules().forEach((name, pom) -> {
            if (pom.contains("sonar-application") || pom.contains("kafka_2.13") || pom.contains("integ-test-zip")) {
                downloading.add(name);
            }
        });

        assertThat(downloading).isEqualTo(new TreeSet<>(SERVERS));
        assertThat(needed("interfaces")).containsAll(SERVERS);
    }
}
