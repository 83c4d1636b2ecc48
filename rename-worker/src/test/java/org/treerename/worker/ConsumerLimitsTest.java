package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.kafka.RequestCodec;
import org.treerename.worker.ConsumerLimits.Load;

final class ConsumerLimitsTest {

    @ParameterizedTest
    @CsvSource({"1, 1", "4096, 4096", "4096, 1000000"})
    void accepts_the_limits_of_its_range(int concurrency, int requests) {
        assertThatCode(() -> new ConsumerLimits(concurrency, requests)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 4_097})
    void refuses_a_concurrency_outside_1_to_4096(int concurrency) {
        assertThatThrownBy(() -> new ConsumerLimits(concurrency, 10_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--concurrency must be 1 to 4096, was " + concurrency);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 63, 1_000_001})
    void refuses_fewer_requests_than_run_at_once_or_more_than_a_million(int requests) {
        assertThatThrownBy(() -> new ConsumerLimits(64, requests))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--window must be at least --concurrency (64) and at most 1000000, was " + requests);
    }

    @Test
    void a_window_of_one_request_is_half_empty_if_it_is_empty() {
        PartitionQueue queue = new PartitionQueue(EndedRecords.NONE);
        ConsumerLimits one = new ConsumerLimits(1, 1);

        assertThat(one.isHalfEmpty(queue, Load.of(List.of(queue)))).isTrue();
        assertThat(one.isFull(queue, Load.of(List.of(queue)))).isFalse();
    }

    private static PartitionQueue queue(int requests, int bytesOfEach) {
        PartitionQueue queue = new PartitionQueue(EndedRecords.NONE);
        for (int i = 0; i < requests; i++) {
            ConsumerRecord<byte[], byte[]> message = new ConsumerRecord<>(
                    "rename.requests",
                    0,
                    i,
                    0,
                    TimestampType.LOG_APPEND_TIME,
                    0,
                    bytesOfEach,
                    null,
                    null,
                    new RecordHeaders(),
                    Optional.empty());
            queue.add(new ReceivedRecord(message, RequestCodec.decode(null)), new Footprint.Nothing());
        }
        return queue;
    }

    @Test
    void pauses_the_partitions_above_their_share_if_all_together_have_too_many_requests() {
        ConsumerLimits window = new ConsumerLimits(64, 25_000);
        PartitionQueue large = queue(22_000, 100);
        PartitionQueue share = queue(10_000, 100);
        PartitionQueue small = queue(1_000, 100);
        Load all = Load.of(List.of(large, share, small));

        assertThat(all).isEqualTo(new Load(3, 33_000, 3_300_000));
        assertThat(List.of(window.isFull(large, all), window.isFull(share, all), window.isFull(small, all)))
                .containsExactly(true, true, false);
        assertThat(window.isFull(large, Load.of(List.of(large, small)))).isFalse();
    }

    @Test
    void resumes_a_partition_at_half_of_its_share_or_of_the_total_limit() {
        ConsumerLimits window = new ConsumerLimits(64, 25_000);
        PartitionQueue large = queue(12_000, 100);
        PartitionQueue half = queue(5_000, 100);

        assertThat(window.isHalfEmpty(large, new Load(3, 15_001, 0))).isFalse();
        assertThat(window.isHalfEmpty(half, new Load(3, 15_001, 0))).isTrue();
        assertThat(window.isHalfEmpty(large, new Load(3, 15_000, 0))).isTrue();
    }

    @Test
    void pauses_and_resumes_by_the_bytes_of_all_partitions() {
        ConsumerLimits window = new ConsumerLimits(64, 25_000);
        int mib = 1024 * 1024;
        PartitionQueue large = queue(40, mib);
        PartitionQueue small = queue(16, mib);

        assertThat(window.isFull(large, new Load(2, 64, 64 * mib))).isTrue();
        assertThat(window.isFull(large, new Load(2, 63, 63 * mib))).isFalse();
        assertThat(window.isFull(small, new Load(2, 64, 64 * mib))).isFalse();
        assertThat(window.isHalfEmpty(large, new Load(2, 33, 33 * mib))).isFalse();
        assertThat(window.isHalfEmpty(large, new Load(2, 32, 32 * mib))).isTrue();
        assertThat(window.isHalfEmpty(small, new Load(2, 33, 33 * mib))).isTrue();
    }
}
