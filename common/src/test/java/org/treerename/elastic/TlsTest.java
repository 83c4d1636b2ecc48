package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.certificates.Authority;
import org.treerename.certificates.Authority.Signed;
import org.treerename.installation.Installation;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.store.NoAnswerException;
import picocli.CommandLine;

/** Tests TLS connections to a server of the JDK. */
class TlsTest {

    @TempDir
    private static Path folder;

    private static Authority authority;
    private static Authority other;
    private static Signed here;
    private static Signed elsewhere;
    private static Signed client;

    private @Nullable HttpServer server;

    @BeforeAll
    static void sign() {
        authority = Authority.in(folder.resolve("authority"));
        other = Authority.in(folder.resolve("other"));
        here = authority.sign("here", "ip:127.0.0.1");
        elsewhere = authority.sign("elsewhere", "dns:elsewhere.example,ip:127.0.0.2");
        client = authority.sign("client", "dns:client");
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    private static SSLContext context(Signed identity) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(identity.store())) {
            store.load(in, identity.password());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, identity.password());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** Starts a server and returns its URL. */
    private String start(Signed identity, boolean needsClientCertificate) throws IOException, GeneralSecurityException {
        HttpsServer started = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        started.setHttpsConfigurator(new HttpsConfigurator(context(identity)) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters tls = getSSLContext().getDefaultSSLParameters();
                tls.setNeedClientAuth(needsClientCertificate);
                parameters.setSSLParameters(tls);
            }
        });
        started.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, -1);
            }
        });
        started.start();
        server = started;
        return "https://127.0.0.1:" + started.getAddress().getPort();
    }

    private static int status(String url, @Nullable Tls tls) {
        return status(url, tls, Duration.ofSeconds(10));
    }

    private static int status(String url, @Nullable Tls tls, Duration timeout) {
        try (Elastic elastic = Elastic.connect(Elastic.Settings.of(url, timeout).over(tls))) {
            return elastic.raw().get("/").status();
        }
    }

    private static NoAnswerException refused(String url, @Nullable Tls tls) {
        return catchThrowableOfType(NoAnswerException.class, () -> status(url, tls));
    }

    private static Tls trusting(Authority signer) {
        return Tls.of(signer.certificate(), null, null);
    }

    @Test
    void trusts_a_certificate_that_the_authority_has_signed() throws IOException, GeneralSecurityException {
        String url = start(here, false);

        assertThat(status(url, trusting(authority))).isEqualTo(200);
    }

    @Test
    void trusts_a_certificate_of_one_of_several_authorities() throws IOException, GeneralSecurityException {
        Path both = Files.writeString(
                folder.resolve("both.pem"),
                Files.readString(other.certificate()) + Files.readString(authority.certificate()));
        String url = start(here, false);

        assertThat(status(url, Tls.of(both, null, null))).isEqualTo(200);
    }

    @Test
    void does_not_trust_a_certificate_of_another_authority() throws IOException, GeneralSecurityException {
        String url = start(here, false);

        for (Tls tls : new @Nullable Tls[] {null, trusting(other)}) {
            assertThat(refused(url, tls))
                    .hasMessageStartingWith("the TLS connection to Elasticsearch failed: ")
                    .hasMessageContaining("PKIX path")
                    .returns(true, NoAnswerException::isAuthenticationFailure);
        }
    }

    @Test
    void does_not_trust_a_certificate_of_another_host() throws IOException, GeneralSecurityException {
        String url = start(elsewhere, false);

        assertThat(refused(url, trusting(authority)))
                .hasMessageContaining("127.0.0.1")
                .returns(true, NoAnswerException::isAuthenticationFailure);
    }

    @Test
    void shows_its_certificate_if_the_server_requests_it() throws IOException, GeneralSecurityException {
        String url = start(here, true);

        assertThat(status(url, Tls.of(authority.certificate(), client.certificate(), client.key())))
                .isEqualTo(200);
        assertThat(refused(url, trusting(authority))).isNotNull();
    }

    private static Elastic.Settings settings(String... options) {
        return CommandLine.populateCommand(new ElasticsearchOptions(), options).settings(Installation.DEFAULT);
    }

    @Test
    void shows_the_certificate_of_its_option() throws IOException, GeneralSecurityException {
        String url = start(here, true);
        Elastic.Settings settings = settings(
                "--elasticsearch-url=" + url,
                "--elasticsearch-ca-file=" + authority.certificate(),
                "--elasticsearch-certificate-file=" + client.certificate(),
                "--elasticsearch-key-file=" + client.key());

        try (Elastic elastic = Elastic.connect(settings)) {
            assertThat(elastic.raw().get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void refuses_a_certificate_file_without_a_certificate_or_without_a_key() throws IOException {
        Path text = Files.writeString(folder.resolve("no-certificate"), "canary");
        String url = "--elasticsearch-url=https://127.0.0.1:1";

        assertThatThrownBy(() -> settings(url, "--elasticsearch-certificate-file=" + client.certificate()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a certificate and its private key must be given together, found only one of them");
        assertThatThrownBy(() -> settings(
                        url, "--elasticsearch-certificate-file=" + text, "--elasticsearch-key-file=" + client.key()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected certificates in PEM in " + text + ", found none");
    }

    @Test
    void a_broken_connection_is_not_reported_as_distrust() throws IOException {
        try (ServerSocket broken = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread closing = Thread.ofVirtual().start(() -> {
                try {
                    broken.accept().close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            String url = "https://127.0.0.1:" + broken.getLocalPort();
            // a retry gets no answer until the timeout
            assertThat(catchThrowableOfType(
                            NoAnswerException.class, () -> status(url, trusting(authority), Duration.ofSeconds(1))))
                    .returns(false, NoAnswerException::isAuthenticationFailure);
            closing.interrupt();
        }
    }

    @Test
    void refuses_an_invalid_certificate_or_key_by_its_file_name_without_its_content() throws IOException {
        Path text = Files.writeString(folder.resolve("text"), "canary");
        Path none = folder.resolve("none");
        Path encrypted = Files.writeString(
                folder.resolve("encrypted"),
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\ncanary\n-----END ENCRYPTED PRIVATE KEY-----\n");

        assertThatThrownBy(() -> Tls.of(none, null, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("cannot read " + none);
        assertThatThrownBy(() -> Tls.of(text, null, null))
                .hasMessage("expected certificates in PEM in " + text + ", found none");
        assertThatThrownBy(() -> Tls.of(null, client.certificate(), null))
                .hasMessageContaining("must be given together");
        for (Path key : new Path[] {text, encrypted, client.certificate()}) {
            assertThatThrownBy(() -> Tls.of(null, client.certificate(), key))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected a private key in PEM")
                    .hasMessageContaining(key.toString())
                    .hasMessageNotContaining("canary");
        }
    }

    @Test
    void urls_are_all_http_or_all_https_and_contain_no_password() {
        Duration timeout = Duration.ofSeconds(1);

        assertThatThrownBy(() -> Elastic.Settings.of("https://a:1,http://b:1", timeout))
                .hasMessageContaining("all http or all https");
        assertThatThrownBy(() -> Elastic.Settings.of("ftp://a:1", timeout)).hasMessageContaining("found ftp://a:1");
        assertThatThrownBy(() -> Elastic.Settings.of("a", timeout)).hasMessageContaining("found a");
        assertThatThrownBy(() -> Elastic.Settings.of("https://u:canary@a:1", timeout))
                .hasMessageContaining("must not contain a user or a password")
                .hasMessageNotContaining("canary");
        assertThatThrownBy(() -> Elastic.Settings.of("http://a:1", timeout).over(trusting(authority)))
                .hasMessageContaining("must be https if certificates are given");
        assertThat(Elastic.Settings.of("https://a:1", timeout).urls()).containsExactly(URI.create("https://a:1"));
    }
}
