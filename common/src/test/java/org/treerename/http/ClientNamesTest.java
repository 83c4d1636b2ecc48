package org.treerename.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.certificates.Authority;
import org.treerename.certificates.Authority.Signed;
import org.treerename.elastic.Tls;
import org.treerename.runtime.SystemTime;

/** Tests the names of the clients that a server with TLS accepts. */
class ClientNamesTest {

    private static final HttpServer.Site NAMES = new HttpServer.Site() {
        @Override
        public Map<String, String> headers() {
            return Map.of();
        }

        @Override
        public void handle(Exchange exchange) {
            exchange.send(
                    Answer.problem(Answer.NOT_FOUND, exchange.certificateName().orElse("none")));
        }

        @Override
        public Answer refused(int status, boolean isInternal) {
            return Answer.problem(status, "refused");
        }
    };

    private static HttpResponse<String> get(HttpServer server, Authority authority, Signed client) throws Exception {
        URI url = URI.create("https://localhost:" + URI.create(server.url()).getPort() + "/");
        try (HttpClient http = HttpClient.newBuilder()
                .sslContext(Tls.of(authority.certificate(), client.certificate(), client.key())
                        .context())
                .build()) {
            return http.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
        }
    }

    @Test
    void accepts_only_the_given_names_of_an_authority_that_also_signs_for_others(@TempDir Path folder)
            throws Exception {
        Authority authority = Authority.in(folder);
        Signed own = authority.sign("server", "dns:localhost");
        Signed alice = authority.sign("alice", "dns:localhost");
        Signed mallory = authority.sign("mallory", "dns:localhost");
        ServerTls tls =
                ServerTls.of("--http", own.certificate(), own.key(), authority.certificate(), List.of("alice", "bob"));
        try (HttpServer server = HttpServer.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                tls,
                new HttpServer.Limits(1_000, 1_000, 10, 10, 10, Duration.ofSeconds(1)),
                NAMES,
                new SystemTime())) {
            HttpResponse<String> accepted = get(server, authority, alice);
            HttpResponse<String> refused = get(server, authority, mallory);

            assertThat(accepted.body()).contains("alice");
            assertThat(accepted.statusCode()).isEqualTo(404);
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("refused");
        }
    }

    @Test
    void names_without_an_authority_are_wrong_use() {
        assertThatThrownBy(() -> ServerTls.of("--http", null, null, null, List.of("alice")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--http-client-names requires --http-client-ca-file");
    }

    @Test
    void another_field_of_the_subject_cannot_contain_the_name() {
        assertThat(Exchange.commonName(new X500Principal("CN=alice, O=examples")))
                .isEqualTo(Optional.of("alice"));
        assertThat(Exchange.commonName(new X500Principal("O=\"a,CN=alice\", CN=mallory")))
                .isEqualTo(Optional.of("mallory"));
        assertThat(Exchange.commonName(new X500Principal("O=\"CN=alice\""))).isEmpty();
        assertThat(Exchange.commonName(new X500Principal("CN=alice, CN=mallory")))
                .isEmpty();
        assertThat(Exchange.commonName(new X500Principal("CN=\"a, CN=b\""))).isEqualTo(Optional.of("a, CN=b"));
    }
}
