package org.treerename.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PauseSignTest {

    @Test
    void it_is_on_from_the_heartbeat_that_reports_a_pause_to_the_one_that_reports_none() {
        PauseSign sign = new PauseSign();
        assertThat(sign.isOn()).isFalse();
        assertThat(sign.inWords()).isEmpty();

        sign.told(Optional.of(new Pause(Instant.EPOCH, "me")));
        assertThat(sign.isOn()).isTrue();
        assertThat(sign.inWords()).contains("paused since 1970-01-01T00:00:00Z by me: nothing new begins");

        sign.told(Optional.empty());
        assertThat(sign.isOn()).isFalse();
        assertThat(sign.inWords()).isEmpty();
    }
}
