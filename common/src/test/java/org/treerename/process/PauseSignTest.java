package org.treerename.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PauseSignTest {

    @Test
    void is_on_from_the_heartbeat_that_reports_a_pause_until_a_heartbeat_reports_no_pause() {
        PauseSign sign = new PauseSign();
        assertThat(sign.isOn()).isFalse();
        assertThat(sign.inWords()).isEmpty();

        sign.reported(Optional.of(new Pause(Instant.EPOCH, "me")));
        assertThat(sign.isOn()).isTrue();
        assertThat(sign.inWords()).contains("paused since 1970-01-01T00:00:00Z by me: no new request is started");

        sign.reported(Optional.empty());
        assertThat(sign.isOn()).isFalse();
        assertThat(sign.inWords()).isEmpty();
    }
}
