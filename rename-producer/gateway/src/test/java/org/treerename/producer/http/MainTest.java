package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.treerename.service.ServiceCommandLine;
import org.treerename.service.ServiceCommandLine.Ended;

class MainTest {

    @Test
    void refuses_wrong_or_missing_options_with_a_reason() {
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--http-streams=0"))
                .isEqualTo(new Ended(2, "rename-gateway: --http-streams must be at least 1, was 0\n"));
        assertThat(run("--kafka-bootstrap-servers=x:1").error()).contains("--elasticsearch-url");
        assertThat(run("--elasticsearch-url=http://x").error()).contains("--kafka-bootstrap-servers");
    }

    private static Ended run(String... arguments) {
        return ServiceCommandLine.run(Main.command(), arguments);
    }
}
