package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.producer.http.Gateway.Access;
import org.treerename.producer.http.Gateway.Limits;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class GatewayOptionsTest {

    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private Path folder;

    @Command
    private static final class Options {
        @Mixin
        private GatewayOptions http = new GatewayOptions();
    }

    private static Access access(String... arguments) {
        Options options = new Options();
        new CommandLine(options).parseArgs(arguments);
        return options.http.access();
    }

    private static Limits limits(String... arguments) {
        Options options = new Options();
        new CommandLine(options).parseArgs(arguments);
        return options.http.limits();
    }

    @Test
    void limits_connections_and_requests_by_its_options() {
        assertThat(limits()).isEqualTo(new Limits(1_000, 250, 64, 100, 25, 100));
        assertThat(limits(
                        "--http-connections=5",
                        "--http-requests=4",
                        "--http-streams=3",
                        "--http-requests-per-second=2"))
                .isEqualTo(new Limits(5, 2, 4, 3, 1, 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--http-connections", "--http-requests", "--http-streams", "--http-requests-per-second"})
    void refuses_a_limit_below_1(String option) {
        assertThatThrownBy(() -> limits(option + "=0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(option + " must be at least 1, was 0");
    }

    @Test
    void listens_on_the_loopback_address_by_default() {
        assertThat(access().address().getAddress().isLoopbackAddress()).isTrue();
    }

    @Test
    void refuses_an_unprotected_public_address_without_http_unprotected() throws IOException {
        String tokens = "--http-token-file=" + Files.writeString(folder.resolve("tokens"), "me:0123456789abcdef:read");

        assertThatThrownBy(() -> access("--http-host=0.0.0.0")).hasMessageContaining("--http-unprotected allows");
        assertThatThrownBy(() -> access("--http-host=0.0.0.0", tokens))
                .hasMessageContaining("--http-tls-certificate-file");
        assertThat(access("--http-host=0.0.0.0", "--http-unprotected").tokens()).isNull();
        assertThat(access("--http-host=0.0.0.0", "--http-unprotected", tokens).tokens())
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--http-port=70000",
                "--http-port=-1",
                "--http-host=no.such.host.invalid",
                "--http-tls-key-file=none",
                "--http-tls-certificate-file=none",
                "--http-client-ca-file=none",
                "--http-token-file=none"
            })
    void refuses_a_wrong_value_and_names_the_option(String argument) {
        assertThatThrownBy(() -> access(argument))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(argument.substring(0, argument.indexOf('=')));
    }

    @Test
    void requires_a_client_certificate_and_uses_its_name_as_requester() throws Exception {
        KeyStore server = keyStore("server", "localhost");
        KeyStore client = keyStore("client", "nightly job");
        String[] tls = {
            "--http-host=0.0.0.0",
            "--http-tls-certificate-file=" + certificate("server", server),
            "--http-tls-key-file=" + key("server", server),
            "--http-client-ca-file=" + certificate("client", client)
        };
        assertThatThrownBy(() -> access(tls[0], tls[1], tls[2])).hasMessageContaining("--http-unprotected");

        try (OpenGateway gateway = new OpenGateway(
                OpenGateway.LIMITS, Objects.requireNonNull(access(tls).tls()), null)) {
            assertThat(gateway.at("/").getScheme()).isEqualTo("https");
            assertThat(post(gateway, context(client, server)).statusCode()).isEqualTo(202);
            assertThat(gateway.renames.request("r").requestedBy()).isEqualTo("nightly job");
            assertThatThrownBy(() -> post(gateway, context(null, server))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> post(gateway, context(keyStore("other", "nightly job"), server)))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> post(gateway, context(client, client))).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void the_command_line_trusts_the_authority_of_its_option_and_sends_its_own_certificate() throws Exception {
        KeyStore server = keyStore("server", "localhost");
        KeyStore client = keyStore("client", "nightly job");
        Path authority = certificate("server", server);
        String[] own = {"--certificate-file=" + certificate("client", client), "--key-file=" + key("client", client)};
        var tls = access(
                        "--http-tls-certificate-file=" + authority,
                        "--http-tls-key-file=" + key("server", server),
                        "--http-client-ca-file=" + certificate("client", client))
                .tls();
        try (OpenGateway gateway = new OpenGateway(OpenGateway.LIMITS, Objects.requireNonNull(tls), null)) {
            String ofGateway = "--server=https://localhost:" + gateway.at("").getPort();

            assertThat(list(ofGateway, "--ca-file=" + authority, own[0], own[1]))
                    .isEqualTo("1: rename: no request was found\n");
            assertThat(list(ofGateway, "--ca-file=" + authority))
                    .startsWith("3: rename: the gateway https://localhost:");
            assertThat(list(ofGateway, own[0], own[1]))
                    .startsWith("3: rename: the gateway https://localhost:")
                    .contains("check --ca-file, and the name in the certificate");
        }
    }

    /** Runs {@code rename list}. Returns the exit code and the text on standard error. */
    private static String list(String... options) {
        StringWriter err = new StringWriter();
        int code = org.treerename.producer.cli.Main.run(
                Map.of(),
                new PrintWriter(new StringWriter(), true),
                new PrintWriter(err, true),
                Stream.concat(Stream.of("list"), Arrays.stream(options)).toArray(String[]::new));
        return code + ": " + err;
    }

    private static HttpResponse<String> post(OpenGateway gateway, SSLContext context) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
            return client.send(gateway.posting(OpenGateway.renaming("r")).build(), BodyHandlers.ofString());
        }
    }

    private KeyStore keyStore(String alias, String name) throws Exception {
        Path file = folder.resolve(alias + ".p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-alias",
                        alias,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-ext",
                        "bc=ca:true"))
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    private Path certificate(String alias, KeyStore store) throws Exception {
        return pem(alias + ".crt", "CERTIFICATE", store.getCertificate(alias).getEncoded());
    }

    private Path key(String alias, KeyStore store) throws Exception {
        return pem(alias + ".key", "PRIVATE KEY", store.getKey(alias, PASSWORD).getEncoded());
    }

    private Path pem(String file, String type, byte[] encoded) throws IOException {
        String text = Base64.getMimeEncoder().encodeToString(encoded);
        return Files.writeString(
                folder.resolve(file), "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
    }

    private static SSLContext context(@Nullable KeyStore own, KeyStore trusted) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, PASSWORD);
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, null);
        String alias = trusted.aliases().nextElement();
        authorities.setCertificateEntry(alias, trusted.getCertificate(alias));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own == null ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
