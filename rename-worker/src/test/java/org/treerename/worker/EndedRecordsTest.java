package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndedRecordsTest {

    private static final int EPOCH = 4;

    private static ConsumerRecord<byte[], byte[]> message(long offset, Integer epoch) {
        return new ConsumerRecord<>(
                "requests",
                0,
                offset,
                0,
                TimestampType.CREATE_TIME,
                0,
                0,
                null,
                new byte[0],
                new RecordHeaders(),
                Optional.ofNullable(epoch));
    }

    private static List<Long> ended(EndedRecords records, int epoch) {
        return LongStream.range(0, 40)
                .filter(offset -> records.contains(message(offset, epoch)))
                .boxed()
                .toList();
    }

    private static EndedRecords read(String text) {
        return EndedRecords.of(new OffsetAndMetadata(10, text));
    }

    @Test
    void the_next_owner_reads_what_the_text_of_a_commit_names() {
        EndedRecords records = EndedRecords.NONE.then(List.of(10L, 12L, 13L), 16, Optional.of(EPOCH));

        String text = records.text(10, EndedRecords.LONGEST_TEXT);

        assertThat(text).isEqualTo("ended-records-1 16 4 10 2 1");
        assertThat(read(text)).isEqualTo(records);
        assertThat(ended(read(text), EPOCH).stream().filter(offset -> offset >= 10))
                .containsExactly(11L, 14L, 15L);
    }

    /** After an unclean election, other records with a higher epoch may have the same offsets. */
    @Test
    void a_record_of_a_later_or_unknown_leader_epoch_has_not_ended() {
        EndedRecords records = new EndedRecords(Set.of(10L), 16, EPOCH);

        assertThat(records.contains(message(11, EPOCH - 1))).isTrue();
        assertThat(records.contains(message(11, EPOCH + 1))).isFalse();
        assertThat(records.contains(message(11, null))).isFalse();
    }

    @Test
    void an_owner_that_has_received_fewer_records_than_the_earlier_owner_keeps_what_it_has_not_received() {
        EndedRecords earlier = new EndedRecords(Set.of(10L, 15L), 20, EPOCH);

        EndedRecords later = earlier.then(List.of(10L, 12L), 14, Optional.of(EPOCH - 1));

        assertThat(later).isEqualTo(new EndedRecords(Set.of(10L, 12L, 15L), 20, EPOCH));
    }

    @Test
    void an_owner_that_receives_a_later_epoch_keeps_nothing_of_the_earlier_owner() {
        EndedRecords earlier = new EndedRecords(Set.of(10L, 15L), 20, EPOCH);

        assertThat(earlier.then(List.of(10L), 14, Optional.of(EPOCH + 1)))
                .isEqualTo(new EndedRecords(Set.of(10L), 14, EPOCH + 1));
    }

    @Test
    void the_text_is_empty_if_nothing_behind_the_position_has_ended() {
        assertThat(new EndedRecords(Set.of(10L, 11L), 12, EPOCH).text(10, EndedRecords.LONGEST_TEXT))
                .isEmpty();
        assertThat(new EndedRecords(Set.of(), 12, EPOCH).text(12, EndedRecords.LONGEST_TEXT))
                .isEmpty();
    }

    @Test
    void a_text_that_would_be_too_long_covers_the_first_records() {
        List<Long> open = LongStream.range(0, 10_000).map(i -> i * 2).boxed().toList();
        EndedRecords records = EndedRecords.NONE.then(open, 20_000, Optional.of(EPOCH));

        String text = records.text(0, EndedRecords.LONGEST_TEXT);

        assertThat(text).hasSizeLessThanOrEqualTo(EndedRecords.LONGEST_TEXT).hasSizeGreaterThan(3_900);
        EndedRecords read = read(text);
        assertThat(read.end()).isBetween(3_000L, 20_000L);
        assertThat(read.open()).allMatch(offset -> offset % 2 == 0);
        assertThat(LongStream.range(0, 20_000).filter(offset -> read.contains(message(offset, EPOCH))))
                .hasSizeGreaterThan(1_500)
                .allMatch(offset -> offset % 2 == 1);
        assertThat(records.text(0, 0)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "of another program",
                "ended-records-2 16 4 10",
                "ended-records-1 x 4 10",
                "ended-records-1 16"
            })
    void a_text_that_it_cannot_read_names_no_record(String text) {
        assertThat(read(text)).isEqualTo(EndedRecords.NONE);
        assertThat(ended(read(text), 0)).isEmpty();
    }
}
