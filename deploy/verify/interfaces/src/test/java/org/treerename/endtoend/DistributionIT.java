package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.treerename.endtoend.Unpacked.Ended;
import org.treerename.installation.Installation;
import org.treerename.kafka.CloudEventHeaders;
import org.treerename.namespace.NamespaceFile;
import org.treerename.testservers.TestServers;

/**
 * Tests the archives of the distribution: their content, their programs, and one rename with these programs on real
 * servers.
 */
final class DistributionIT {

    /** The minimum share of classes that the second {@code rename mv} must load from the file of the first. */
    private static final double SHARED = 0.95;

    @TempDir
    private static Path folder;

    private static Unpacked tar;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        // the folder name contains spaces, so the launcher must quote its paths
        tar = Unpacked.tar(folder.resolve("an unpacked tar"));
    }

    private static ProcessBuilder process(String program, String... arguments) {
        ProcessBuilder process = Unpacked.process(tar.program(program), arguments);
        process.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        process.environment().put("KAFKA_BOOTSTRAP_SERVERS", TestServers.kafkaBootstrapServers());
        process.environment().put("ELASTICSEARCH_URL", TestServers.elasticsearchUrl());
        return process;
    }

    private static Ended help(ProcessBuilder process) throws IOException, InterruptedException {
        Ended ended = Unpacked.run(process);
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
        return ended;
    }

    @Test
    void both_archives_contain_the_same_files() throws IOException {
        Unpacked zip = Unpacked.zip(folder.resolve("zip"));
        Map<String, String> files = tar.files();

        assertThat(zip.files()).isEqualTo(files);
        assertThat(zip.home().getFileName()).isEqualTo(tar.home().getFileName());
        assertThat(files)
                .containsKeys(
                        "LICENSE",
                        "NOTICE",
                        "README",
                        "conf/namespaces.yaml",
                        "conf/worker.yaml",
                        "kubernetes/base/kustomization.yaml",
                        "lib/tree-rename.jar",
                        "schemas/asyncapi.yaml",
                        "schemas/openapi.json",
                        "schemas/rename-outcome.schema.json",
                        "schemas/rename-progress.schema.json",
                        "schemas/rename-request.schema.json");
        assertThat(files.keySet().stream().filter(file -> file.startsWith("bin/")))
                .containsExactlyInAnyOrderElementsOf(
                        Unpacked.PROGRAMS.stream().map(name -> "bin/" + name).toList());
        assertThat(Files.readString(tar.home().resolve("README"))).doesNotContain("${");
    }

    @Test
    void each_program_prints_its_help_and_its_version() throws IOException, InterruptedException {
        for (String program : Unpacked.PROGRAMS) {
            String help = help(process(program, "--help")).out();
            assertThat(help).startsWith("Usage: " + program + " ");
            assertThat(help).contains("--version");
            assertThat(help(process(program, "--version")).out()).matches("(" + program + " [0-9].*)?\\R?");
        }
    }

    @Test
    void a_program_works_through_symbolic_links_from_any_folder() throws IOException, InterruptedException {
        Path links = Files.createDirectories(folder.resolve("links/bin"));
        Path absolute = Files.createSymbolicLink(links.resolve("absolute"), tar.program("rename"));
        Path relative = Files.createSymbolicLink(links.resolve("relative"), Path.of("absolute"));

        for (Path program : List.of(absolute, relative)) {
            ProcessBuilder process = Unpacked.process(program, "--help").directory(links.toFile());
            assertThat(help(process).out()).startsWith("Usage: rename ");
        }
        ProcessBuilder searched = Unpacked.process(Path.of("sh"), "-c", "relative --help");
        searched.environment().merge("PATH", links.toString(), (path, first) -> first + ":" + path);
        assertThat(help(searched).out()).startsWith("Usage: rename ");
    }

    @Test
    void without_a_java_the_launcher_says_what_to_install() throws IOException, InterruptedException {
        Path tools = Files.createDirectories(folder.resolve("tools"));
        for (String tool : List.of("sh", "dirname", "readlink", "sed")) {
            Files.createSymbolicLink(tools.resolve(tool), Unpacked.located(tool));
        }
        ProcessBuilder noJava = process("rename", "--help");
        noJava.environment().remove("JAVA_HOME");
        noJava.environment().put("PATH", tools.toString());
        ProcessBuilder wrongHome = process("rename-worker", "--help");
        wrongHome.environment().put("JAVA_HOME", folder.resolve("nothing").toString());

        String advice = ": install Java 21 or newer (for example Eclipse Temurin), and set JAVA_HOME to its folder.\n";
        assertThat(Unpacked.run(noJava))
                .isEqualTo(new Ended(2, "", "rename: expected Java 21 or newer, found no java on the PATH" + advice));
        assertThat(Unpacked.run(wrongHome))
                .isEqualTo(new Ended(
                        2,
                        "",
                        "rename-worker: expected a Java in JAVA_HOME, found no program "
                                + folder.resolve("nothing/bin/java") + advice));
    }

    @Test
    void the_launcher_refuses_an_old_java() throws IOException, InterruptedException {
        Path eight = fakeJava("java-8", "openjdk version \"1.8.0_392\"");
        Path seventeen = fakeJava("java-17", "");
        Files.writeString(
                seventeen.resolve("release"), "IMPLEMENTOR=\"somebody\"\nJAVA_VERSION=\"17.0.9\"\nOS_NAME=\"Linux\"\n");
        Path unknown = fakeJava("unknown", "this is no Java");

        assertThat(refused(eight))
                .contains("expected Java 21 or newer, found Java 1.8.0_392 (" + eight + "/bin/java): ");
        assertThat(refused(seventeen)).contains("found Java 17.0.9 (" + seventeen + "/bin/java): ");
        assertThat(refused(unknown)).contains("found " + unknown + "/bin/java, which reports no version: ");
    }

    @Test
    void the_launcher_accepts_a_newer_java() throws IOException, InterruptedException {
        Path newer = fakeJava("java-30", "openjdk version \"30-ea\" 2029-03-20");
        ProcessBuilder process = Unpacked.process(tar.program("lock-janitor"), "--lease=30s", "a b");
        process.environment().put("JAVA_HOME", newer.toString());
        process.environment().put("JAVA_OPTS", "-Xmx1g -Da=b");

        assertThat(help(process).out().lines().toList())
                .contains("-Xmx1g", "-Da=b")
                .endsWith("org.treerename.janitor.Main", "--lease=30s", "a b");
    }

    /**
     * Creates a program that replaces Java. With {@code -version}, the program prints a version. Without this option,
     * the program prints its arguments, one per line.
     */
    private static Path fakeJava(String name, String version) throws IOException {
        Path home = folder.resolve(name);
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                if [ "$1" = -version ]; then echo '%s' >&2; else printf '%%s\\n' "$@"; fi
                """.formatted(version));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home;
    }

    private static String refused(Path javaHome) throws IOException, InterruptedException {
        ProcessBuilder process = process("rename", "mv", "/a", "/b");
        process.environment().put("JAVA_HOME", javaHome.toString());
        Ended ended = Unpacked.run(process);
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err().lines()).hasSize(1);
        return ended.err();
    }

    @Test
    void a_command_works_without_a_cache_folder() throws IOException, InterruptedException {
        Path file = Files.createFile(folder.resolve("no-folder"));
        for (Path cache : List.of(file, file.resolve("below"), Path.of("relative"))) {
            ProcessBuilder process = process("rename", "--help");
            process.environment().put("XDG_CACHE_HOME", cache.toString());
            assertThat(help(process).out()).startsWith("Usage: rename ");
        }
        ProcessBuilder homeless = process("rename", "--help");
        homeless.environment().remove("XDG_CACHE_HOME");
        assertThat(help(homeless).out()).startsWith("Usage: rename ");
        assertThat(Path.of("relative")).doesNotExist();
    }

    @Test
    void a_command_replaces_a_broken_file_of_classes() throws IOException, InterruptedException {
        Path file = folder.resolve("broken/tree-rename/start/rename.jsa");
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[100]);

        ProcessBuilder process = process("rename", "--help");
        process.environment().put("XDG_CACHE_HOME", folder.resolve("broken").toString());
        assertThat(help(process).out()).startsWith("Usage: rename ");
        assertThat(Files.size(file)).isGreaterThan(1_000_000);
    }

    @Test
    void the_programs_rename_a_file_and_stop_at_a_signal() throws IOException, InterruptedException {
        try (Log ignored = Log.open()) {
            // opening the log creates the topics
        }
        assertThat(Unpacked.run(process("rename-admin", "topics")).code()).isZero();
        Tree tree = Tree.create().directories("/a").files("/a/1").index();
        Path log = folder.resolve("worker.log");
        Process worker = service("rename-worker", log, Group.atTheEndOfTheLog().option());
        Process janitor = service("lock-janitor", folder.resolve("janitor.log"));
        try {
            Awaitility.await("the worker is live")
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> Files.readString(log).contains(" is live"));
            assertThat(commandOf(worker)).endsWith("/bin/java");

            Ended renamed = Unpacked.run(mv(tree, "/a/1", "/a/2"));
            assertThat(renamed.err()).isEmpty();
            assertThat(renamed.out()).startsWith("renamed /a/1 to /a/2: 1 document moved");
            assertThat(renamed.code()).isZero();
            Es.post("/" + tree.name() + "/_refresh", "");
            assertThat(Es.all(tree.name()).stream()
                            .map(hit -> hit.path("_source").path("path").asText()))
                    .containsExactlyInAnyOrder("/a", "/a/2");

            assertThat(sharedOf(tree)).isGreaterThan(SHARED);

            worker.destroy();
            janitor.destroy();
            assertThat(worker.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(janitor.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(Files.readString(log)).doesNotContain("ERROR");
        } finally {
            worker.destroyForcibly();
            janitor.destroyForcibly();
        }
    }

    private static String commandOf(Process process) {
        return process.info().command().orElseThrow();
    }

    private static Process service(String program, Path log, String... arguments) throws IOException {
        return process(program, arguments)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(log.toFile()))
                .start();
    }

    private static ProcessBuilder mv(Tree tree, String source, String destination) {
        return process("rename", "mv", source, destination, "--namespace=" + tree.name());
    }

    /** Returns the share of classes that {@code rename mv} loads from the file of an earlier run. */
    private static double sharedOf(Tree tree) throws IOException, InterruptedException {
        Path loaded = folder.resolve("loaded");
        ProcessBuilder process = mv(tree, "/a/2", "/a/1");
        process.environment().put("JAVA_OPTS", "-Xlog:class+load:file=" + loaded + ":none");
        assertThat(Unpacked.run(process).code()).isZero();
        List<String> lines = Files.readAllLines(loaded);
        List<String> others = lines.stream()
                .filter(line -> !line.contains("source: shared objects file"))
                // ignore classes that Java generates at run time
                .filter(line -> !line.contains("Lambda") && !line.contains("__") && !line.contains("$Proxy"))
                .toList();
        return 1 - (double) others.size() / lines.size();
    }

    @Test
    void each_program_accepts_its_example_of_settings() throws IOException, InterruptedException {
        for (String program : List.of("rename", "rename-worker", "lock-janitor", "rename-gateway")) {
            String name = program.substring(program.indexOf('-') + 1);
            Path example = tar.home().resolve("conf/" + name + ".yaml");
            Path complete = folder.resolve(name + ".yaml");
            Files.writeString(complete, Files.readString(example).replaceAll("(?m)^# ([a-z-]+: )", "$1"));
            for (Path settings : List.of(example, complete)) {
                ProcessBuilder process = process(program, "--help");
                process.environment().put("TREE_RENAME_CONFIG", settings.toString());
                assertThat(help(process).out()).startsWith("Usage: " + program);
            }
        }
    }

    @Test
    void the_example_of_namespaces_is_valid_with_and_without_its_comments() throws IOException {
        Path example = tar.home().resolve("conf/namespaces.yaml");
        Path complete = folder.resolve("namespaces.yaml");
        Files.writeString(complete, Files.readString(example).replaceAll("(?m)^    # ([a-z_]+: )", "    $1"));

        assertThat(NamespaceFile.read(example)).hasSize(1);
        assertThat(NamespaceFile.read(complete)).hasSize(1).isNotEqualTo(NamespaceFile.read(example));
    }

    @Test
    void the_async_api_describes_the_real_topics_headers_and_schemas() throws IOException {
        Path schemas = tar.home().resolve("schemas");
        Object loaded = new Load(LoadSettings.builder().build())
                .loadFromString(Files.readString(schemas.resolve("asyncapi.yaml")));
        JsonNode api = Es.JSON.valueToTree(loaded);

        Set<String> addresses = new HashSet<>();
        api.path("channels")
                .forEach(channel -> addresses.add(channel.path("address").asText()));
        assertThat(addresses)
                .containsExactlyInAnyOrder(
                        Installation.DEFAULT.requests(),
                        Installation.DEFAULT.outcomes(),
                        Installation.DEFAULT.progress(),
                        Installation.DEFAULT.deadLetters());

        List<String> types = new ArrayList<>();
        api.at("/components/schemas/eventHeaders/properties/ce_type/enum").forEach(type -> types.add(type.asText()));
        assertThat(types)
                .containsExactlyInAnyOrder(
                        CloudEventHeaders.REQUESTED, CloudEventHeaders.ENDED, CloudEventHeaders.PROGRESSED);

        List<String> references = api.findValuesAsText("$ref");
        assertThat(references).hasSizeGreaterThan(10);
        for (String reference : references) {
            if (reference.startsWith("#")) {
                assertThat(api.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse();
            } else {
                JsonNode schema = Es.JSON.readTree(schemas.resolve(reference).toFile());
                String name = reference.replaceAll("^\\./|\\.schema\\.json$", "");
                assertThat(schema.path("$id").asText()).isEqualTo("urn:tree-rename:schema:" + name);
            }
        }
        assertThat(references.stream()
                        .filter(reference -> !reference.startsWith("#"))
                        .collect(Collectors.toSet()))
                .hasSize(3);
    }
}
