package org.treerename.janitor.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.http.Caller;

final class AdmissionTest {

    private static InetAddress address(int... bytes) {
        byte[] address = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            address[i] = (byte) bytes[i];
        }
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void requires_a_token_even_to_read_on_an_address_that_other_machines_reach() {
        assertThatThrownBy(() -> new Admission(address(192, 0, 2, 1), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("192.0.2.1")
                .hasMessageContaining("--console-token-file");
        assertThatThrownBy(() -> new Admission(address(0, 0, 0, 0), null)).isInstanceOf(IllegalArgumentException.class);
        Admission open = new Admission(address(0, 0, 0, 0), token -> Optional.of(Caller.withAllRights("me")));
        assertThat(open.mayRead()).isFalse();
        assertThat(open.isHost("janitor.example:8080")).isTrue();
    }

    @Test
    void allows_reading_without_a_token_under_a_name_of_this_machine() {
        Admission local = new Admission(address(127, 0, 0, 1), null);

        assertThat(local.mayRead()).isTrue();
        assertThat(local.takesTokens()).isFalse();
        assertThat(local.ownerOf("anything")).isEmpty();
        assertThat(local.isHost("127.0.0.1:8080")).isTrue();
        assertThat(local.isHost("localhost")).isTrue();
        assertThat(local.isHost("[::1]:8080")).isTrue();
        assertThat(local.isHost("localhost.example:8080")).isFalse();
        assertThat(local.isHost("")).isFalse();
    }
}
