package org.treerename.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.http.Admission.Refusal;

class AdmissionTest {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private static Call.Headers headers(Map<String, List<String>> headers) {
        return name -> headers.getOrDefault(name, List.of());
    }

    private static Call.Headers host(String host) {
        return headers(Map.of("Host", List.of(host)));
    }

    private static Call.Headers of(String host, String... origins) {
        return headers(Map.of("Host", List.of(host), "Origin", List.of(origins)));
    }

    private static Admission everywhere() throws Exception {
        return Admission.of(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}), null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]:8080"})
    void accepts_a_name_of_this_machine(String host) {
        assertThat(Admission.of(LOOPBACK, null).refusal(host(host))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost.example:8080", "attacker.example", "", "127.0.0.1.attacker.example"})
    void refuses_another_host_if_only_this_machine_can_reach_the_server(String host) throws Exception {
        assertThat(Admission.of(LOOPBACK, null).refusal(host(host))).contains(Refusal.FOREIGN_HOST);
        assertThat(everywhere().refusal(host(host))).isEmpty();
    }

    @Test
    void refuses_several_hosts() {
        assertThat(Admission.of(LOOPBACK, null)
                        .refusal(headers(Map.of("Host", List.of("localhost", "attacker.example")))))
                .contains(Refusal.FOREIGN_HOST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://attacker.example", "null", "", "http://localhost:2", "http://x@localhost:1"})
    void refuses_the_page_of_another_site(String origin) throws Exception {
        assertThat(Admission.of(LOOPBACK, null).refusal(of("localhost:1", origin)))
                .contains(Refusal.FOREIGN_ORIGIN);
        assertThat(everywhere().refusal(of("gateway.example", origin))).contains(Refusal.FOREIGN_ORIGIN);
        assertThat(everywhere().refusal(of("gateway.example", "https://gateway.example", origin)))
                .contains(Refusal.FOREIGN_ORIGIN);
    }

    @Test
    void accepts_a_page_of_its_own_host() throws Exception {
        assertThat(Admission.of(LOOPBACK, null).refusal(of("localhost:1", "http://localhost:1")))
                .isEmpty();
        assertThat(everywhere().refusal(of("gateway.example", "https://Gateway.example")))
                .isEmpty();
    }

    @Test
    void only_a_valid_token_has_an_owner() {
        Caller owner = Caller.withAllRights("me");
        Admission strict = Admission.of(LOOPBACK, token -> token.equals("t") ? Optional.of(owner) : Optional.empty());

        assertThat(strict.takesTokens()).isTrue();
        assertThat(strict.ownerOf(headers(Map.of("Authorization", List.of("Bearer t")))))
                .contains(owner);
        assertThat(strict.ownerOf(headers(Map.of("Authorization", List.of("Bearer u")))))
                .isEmpty();
        assertThat(strict.ownerOf(host("localhost"))).isEmpty();
        Admission open = Admission.of(LOOPBACK, null);
        assertThat(open.takesTokens()).isFalse();
        assertThat(open.ownerOf(headers(Map.of("Authorization", List.of("Bearer t")))))
                .isEmpty();
    }
}
