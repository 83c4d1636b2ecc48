package org.treerename.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.cli.Settings;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.installation.Installation;
import picocli.CommandLine;

class ElasticsearchOptionsTest {

    private static final String URL = "--elasticsearch-url=http://a:1,http://b:2";

    @TempDir
    private Path folder;

    private static Elastic.Settings of(String... arguments) {
        return CommandLine.populateCommand(new ElasticsearchOptions(), arguments)
                .settings(Installation.DEFAULT);
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("secret"), text).toString();
    }

    /** Sends a request with these settings, and returns the Authorization header that the server receives. */
    private static @Nullable String sent(Elastic.Settings as) throws IOException, InterruptedException {
        LinkedBlockingQueue<String> headers = new LinkedBlockingQueue<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            headers.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        List<URI> urls =
                List.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
        try (Elastic elastic = Elastic.connect(new Elastic.Settings(
                urls, Duration.ofSeconds(10), 1, as.authorization(), null, Installation.DEFAULT))) {
            new ControlIndex(elastic).create();
            return headers.take();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void without_options_uses_the_defaults_and_sends_no_credentials() throws IOException, InterruptedException {
        assertThat(of(URL))
                .isEqualTo(new Elastic.Settings(
                        List.of(URI.create("http://a:1"), URI.create("http://b:2")),
                        Duration.ofSeconds(30),
                        Elastic.Settings.CONNECTIONS,
                        null,
                        null,
                        Installation.DEFAULT));
        assertThat(sent(of(URL))).isEqualTo("null");
    }

    @Test
    void requires_an_address() {
        assertThatThrownBy(() -> of())
                .hasMessage(
                        "expected the addresses of Elasticsearch, found none; set --elasticsearch-url, ELASTICSEARCH_URL in the environment, or elasticsearch-url in the configuration file");
    }

    @Test
    void each_request_contains_the_user_and_the_password_of_the_file() throws IOException, InterruptedException {
        Elastic.Settings settings =
                of(URL, "--elasticsearch-user=ü", "--elasticsearch-password-file=" + file("a: b \r\n"));

        assertThat(sent(settings)).isEqualTo("Basic w7w6YTogYiA=");
        assertThat(settings.toString()).doesNotContain("w7w6YTogYiA", "a: b");
    }

    @Test
    void each_request_contains_the_api_key_of_the_file() throws IOException, InterruptedException {
        Elastic.Settings settings = of(URL, "--elasticsearch-api-key-file=" + file(" dEROU0Fx==\n"));

        assertThat(sent(settings)).isEqualTo("ApiKey dEROU0Fx==");
        assertThat(settings.withConnections(3)
                        .withTimeout(Duration.ofSeconds(1))
                        .toString())
                .doesNotContain("dEROU0Fx");
    }

    @Test
    void refuses_options_that_contradict_each_other() throws IOException {
        String file = file("x");
        assertThatThrownBy(() -> of(URL, "--elasticsearch-user=u")).hasMessageContaining("must be given together");
        assertThatThrownBy(() -> of(URL, "--elasticsearch-password-file=" + file))
                .hasMessageContaining("must be given together");
        assertThatThrownBy(() -> of(URL, "--elasticsearch-user=u", "--elasticsearch-api-key-file=" + file))
                .hasMessageContaining("found both");
        assertThatThrownBy(() -> of(URL, "--elasticsearch-api-key-file=" + folder.resolve("none")))
                .hasMessageContaining("cannot read the file of --elasticsearch-api-key-file");
        assertThatThrownBy(() -> of(URL, "--elasticsearch-api-key-file=" + file("two words")))
                .hasMessageContaining("one word")
                .hasMessageNotContaining("two words");
        assertThatThrownBy(() -> of("--elasticsearch-url=https://a:1", "--elasticsearch-key-file=" + file))
                .hasMessageContaining("must be given together");
        assertThatThrownBy(() -> of("--elasticsearch-url=https://a:1", "--elasticsearch-ca-file=" + file))
                .hasMessage("expected certificates in PEM in " + file + ", found none");
        for (String name : List.of("a:b", ":b")) {
            assertThatThrownBy(() -> of(URL, "--elasticsearch-user=" + name, "--elasticsearch-password-file=" + file))
                    .hasMessageContaining("must not contain a colon");
        }
    }

    @Test
    void the_environment_names_the_files() throws IOException, InterruptedException {
        CommandLine command = new CommandLine(new ElasticsearchOptions());
        command.setDefaultValueProvider(Settings.of(
                Map.of(
                        "ELASTICSEARCH_URL", "http://a:1",
                        "TREE_RENAME_ELASTICSEARCH_USER", "u",
                        "TREE_RENAME_ELASTICSEARCH_PASSWORD_FILE", file("p")),
                command));
        command.parseArgs();

        ElasticsearchOptions options = command.getCommand();
        assertThat(sent(options.settings(Installation.DEFAULT))).isEqualTo("Basic dTpw");
    }
}
