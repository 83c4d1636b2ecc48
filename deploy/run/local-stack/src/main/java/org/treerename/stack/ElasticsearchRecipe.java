package org.treerename.stack;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the configuration of one Elasticsearch node, and checks whether the node answers. A node consists of two
 * processes: this process starts the launcher, and the launcher starts the server. A node has two ports: the first for
 * HTTP, the second for the transport.
 *
 * <p>The folder of the node contains {@code config}, {@code data}, {@code logs}, {@code tmp} and {@code
 * elasticsearch.log}. The file {@code elasticsearch.log} contains the output of both processes.
 */
record ElasticsearchRecipe(ElasticsearchSettings settings, Path home, List<String> wrapper) implements Startup.Recipe {
    private static final String LAUNCHER = "org.elasticsearch.server.launcher.ServerLauncher";

    /** The launcher of older versions. It reads the folders from options of the JVM, not from environment variables. */
    private static final String OLDER_LAUNCHER = "org.elasticsearch.launcher.CliToolLauncher";

    private static final String[] SMALL_JVM = {"-Xms4m", "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"};
    private static final Set<String> WRITTEN_HERE = Set.of("elasticsearch.yml", "jvm.options");
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "Elasticsearch";
    }

    Path log() {
        return settings.folder().resolve("elasticsearch.log");
    }

    @Override
    public JavaCommand prepare(List<Integer> ports) throws IOException {
        Files.createDirectories(folder("data"));
        Files.createDirectories(folder("tmp"));
        Files.createDirectories(folder("logs"));
        Files.deleteIfExists(portsFile());
        writeConfiguration(ports);
        return launcher()
                .wrapper(wrapper)
                .directory(home)
                .environment(Map.of(
                        "JAVA", JavaExecutable.find().toString(),
                        "JAVA_TYPE", "ES_JAVA_HOME",
                        "ES_HOME", home.toString(),
                        "ES_PATH_CONF", folder("config").toString(),
                        "ES_TMPDIR", folder("tmp").toString(),
                        "ES_DISTRIBUTION_TYPE", "tar",
                        "ES_JAVA_OPTS", "",
                        "CLI_JAVA_OPTS", String.join(" ", SMALL_JVM)));
    }

    private JavaCommand launcher() {
        Path libraries = home.resolve("lib/tools/server-launcher");
        if (Files.isDirectory(libraries)) {
            return JavaCommand.of(LAUNCHER, libraries + "/*", log()).jvmOptions(SMALL_JVM);
        }
        List<String> options = new ArrayList<>(List.of(SMALL_JVM));
        options.addAll(List.of(
                "-Dcli.name=server",
                "-Dcli.script=elasticsearch",
                "-Dcli.libs=lib/tools/server-cli",
                "-Des.path.home=" + home,
                "-Des.path.conf=" + folder("config"),
                "-Des.distribution.type=tar",
                "-Des.java.type=ES_JAVA_HOME"));
        String classPath = home.resolve("lib") + "/*" + File.pathSeparator + home.resolve("lib/cli-launcher") + "/*";
        return JavaCommand.of(OLDER_LAUNCHER, classPath, log()).jvmOptions(options.toArray(String[]::new));
    }

    /**
     * Returns whether the server has bound its port and answers. The server writes the file {@code http.ports} after it
     * has bound the port. A server with security answers with status 401, which counts as an answer.
     */
    @Override
    public boolean answers(List<Integer> ports) {
        URI health = URI.create(url(ports) + "/_cluster/health?wait_for_status=yellow&timeout=5s");
        try (HttpClient client = settings.client()) {
            if (!Files.exists(portsFile())) {
                return false;
            }
            int status = client.send(
                            HttpRequest.newBuilder(health)
                                    .timeout(REQUEST_TIMEOUT)
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
            return status == 200 || status == 401;
        } catch (IOException e) {
            return false; // the server does not answer yet
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    String url(List<Integer> ports) {
        return (settings.isOverTls() ? "https" : "http") + "://127.0.0.1:" + ports.getFirst();
    }

    private void writeConfiguration(List<Integer> ports) throws IOException {
        Path from = home.resolve("config");
        Path to = Files.createDirectories(folder("config"));
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(file -> !WRITTEN_HERE.contains(file.getFileName().toString()))
                    .toList()) {
                Files.write(to.resolve(file.getFileName()), Files.readAllBytes(file));
            }
        }
        for (Map.Entry<String, String> file : settings.files().entrySet()) {
            Files.writeString(to.resolve(file.getKey()), file.getValue());
        }
        Files.writeString(to.resolve("elasticsearch.yml"), yaml(ports));
        Files.write(to.resolve("jvm.options"), jvmOptions(Files.readAllLines(from.resolve("jvm.options"))));
    }

    /**
     * Returns the JVM options of the node: Elasticsearch's default options, the heap, and the options of the settings.
     * Two kinds of default options are left out:
     * <ul>
     *   <li>the options for the log of the garbage collector, because this log may use 2 GB of the disk;
     *   <li>the default garbage collector, if the settings name another one, because the JVM refuses two collectors.
     * </ul>
     */
    List<String> jvmOptions(List<String> usual) {
        boolean ownCollector = settings.jvmOptions().stream().anyMatch(ElasticsearchRecipe::isCollector);
        return Stream.of(
                        usual.stream()
                                .filter(line -> !line.startsWith("-Xlog:gc"))
                                .filter(line -> !ownCollector || !isCollector(line)),
                        Stream.of("-Xms" + settings.heap(), "-Xmx" + settings.heap()),
                        settings.jvmOptions().stream())
                .flatMap(lines -> lines)
                .toList();
    }

    private static boolean isCollector(String option) {
        return option.startsWith("-XX:+Use") && option.endsWith("GC");
    }

    String yaml(List<Integer> ports) {
        Map<String, String> lines = new TreeMap<>(Map.of(
                "cluster.name",
                settings.clusterName(),
                "network.host",
                "127.0.0.1",
                "http.port",
                ports.get(0).toString(),
                "transport.port",
                ports.get(1).toString(),
                "discovery.type",
                "single-node",
                "path.data",
                folder("data").toString(),
                "path.logs",
                folder("logs").toString(),
                "xpack.security.enabled",
                "false",
                "cluster.routing.allocation.disk.threshold_enabled",
                "false",
                "node.portsfile",
                "true"));
        if (Files.exists(home.resolve("modules/ingest-geoip"))) {
            lines.put("ingest.geoip.downloader.enabled", "false");
        }
        lines.putAll(settings.settings());
        return lines.entrySet().stream()
                .map(line -> line.getKey() + ": '" + line.getValue().replace("'", "''") + "'\n")
                .collect(Collectors.joining());
    }

    private Path folder(String name) {
        return settings.folder().resolve(name);
    }

    /** Returns the file that the server writes after it has bound its ports. */
    private Path portsFile() {
        return folder("logs").resolve("http.ports");
    }
}
