package org.treerename.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LoopbackPortsTest {
    private final LoopbackPorts ports = new LoopbackPorts();

    @Test
    void ports_are_different_and_below_the_range_of_client_ports() {
        List<Integer> chosen = ports.choose(50);

        assertThat(new HashSet<>(chosen)).hasSize(50);
        assertThat(chosen).allMatch(port -> port >= 20_000 && port < 32_000);
    }

    @Test
    void a_fixed_port_comes_first() {
        assertThat(ports.chooseFor(OptionalInt.of(9200))).hasSize(2).startsWith(9200);
    }

    @Test
    void a_taken_port_is_not_free() throws IOException {
        int port = ports.choose(1).getFirst();
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));

            assertThat(LoopbackPorts.isFree(port)).isFalse();
        }
        assertThat(LoopbackPorts.isFree(port)).isTrue();
    }
}
