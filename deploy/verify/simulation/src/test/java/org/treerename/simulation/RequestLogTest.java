package org.treerename.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;
import org.treerename.simulation.schedule.Actor;

class RequestLogTest {

    private final Stage stage = new Stage(1, new History(false));
    private final RequestLog log = new RequestLog(stage, 1, Phases.SECOND);
    private final Actor worker = stage.scheduler().actor("worker-1", 1, 0);

    @Test
    void refuses_a_commit_of_an_earlier_membership() {
        log.join(worker);
        log.take(worker);
        int earlier = log.membership(worker);
        log.leave(worker);
        log.join(worker);
        assertThat(log.take(worker)).containsExactly(0);
        log.commit(worker, log.membership(worker), Map.of(0, new OffsetAndMetadata(2)));

        assertThatThrownBy(() -> log.commit(worker, earlier, Map.of(0, new OffsetAndMetadata(1))))
                .isInstanceOf(CommitFailedException.class);
        assertThat(log.committed(0).offset()).isEqualTo(2);
    }

    @Test
    void refuses_a_commit_for_a_partition_of_another_member() {
        log.join(worker);

        assertThatThrownBy(() -> log.commit(worker, log.membership(worker), Map.of(0, new OffsetAndMetadata(1))))
                .isInstanceOf(CommitFailedException.class);
        assertThat(log.committed(0).offset()).isZero();
    }
}
