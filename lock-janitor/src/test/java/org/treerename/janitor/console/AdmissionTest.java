package org.treerename.janitor.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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
    void whereOthersSeeItTheConsoleNeedsTokensAndAsksForOneToReadToo() {
        assertThatThrownBy(() -> new Admission(address(192, 0, 2, 1), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("192.0.2.1")
                .hasMessageContaining("--console-token-file");
        assertThatThrownBy(() -> new Admission(address(0, 0, 0, 0), null)).isInstanceOf(IllegalArgumentException.class);
        Admission open = new Admission(address(0, 0, 0, 0), token -> Optional.of("me"));
        assertThat(open.mayRead()).isFalse();
        assertThat(open.isHost("janitor.example:8080")).isTrue();
    }

    @Test
    void hereEverybodyMayReadUnderANameOfThisMachine() {
        Admission here = new Admission(address(127, 0, 0, 1), null);

        assertThat(here.mayRead()).isTrue();
        assertThat(here.takesTokens()).isFalse();
        assertThat(here.nameOf("anything")).isEmpty();
        assertThat(here.isHost("127.0.0.1:8080")).isTrue();
        assertThat(here.isHost("localhost")).isTrue();
        assertThat(here.isHost("[::1]:8080")).isTrue();
        assertThat(here.isHost("localhost.example:8080")).isFalse();
        assertThat(here.isHost("")).isFalse();
    }
}
