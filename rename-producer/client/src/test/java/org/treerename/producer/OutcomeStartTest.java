package org.treerename.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutcomeStartTest {

    @Test
    void the_last_position_of_each_partition_counts() {
        OutcomeStart start = OutcomeStart.after(
                List.of(new OutcomePosition(1, 7), new OutcomePosition(0, 3), new OutcomePosition(1, 5)));

        assertThat(start).isEqualTo(new OutcomeStart.After(Map.of(0, 3L, 1, 7L)));
    }

    @Test
    void refuses_a_blank_group_and_a_negative_position() {
        assertThatThrownBy(() -> OutcomeStart.group(" ")).hasMessage("the id of a consumer group must not be blank");
        assertThatThrownBy(() -> new OutcomePosition(0, -1))
                .hasMessage("partition and offset must be at least 0, found 0 and -1");
    }
}
