package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.treerename.host.ServiceCommandLine;
import org.treerename.host.ServiceCommandLine.Ended;

class MainTest {

    @Test
    void whatCannotBeIsWrongUseAndSaysWhy() {
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--http-streams=0"))
                .isEqualTo(new Ended(2, "rename-gateway: --http-streams is at least 1, found 0\n"));
        assertThat(run("--kafka-bootstrap-servers=x:1").error()).contains("--elasticsearch-url");
        assertThat(run("--elasticsearch-url=http://x").error()).contains("--kafka-bootstrap-servers");
    }

    private static Ended run(String... arguments) {
        return ServiceCommandLine.run(Main.command(), arguments);
    }
}
