package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.producer.http.WaitingRequests.Queued;

class WaitingIndexTest {

    private static final long SIZE = 10;

    private final WaitingIndex index = new WaitingIndex(3 * SIZE);

    private static Optional<Queued> request(String id) {
        return Optional.of(new Queued(Deliveries.of(Deliveries.rename(id, "files", "/a", "/b"))));
    }

    @Test
    void finds_the_requests_from_the_first_offset_that_waits() {
        index.beginAt(0, 5);
        index.add(0, 5, request("a"), SIZE);
        index.add(0, 6, Optional.empty(), SIZE);
        index.add(0, 7, request("b"), SIZE);
        index.add(1, 0, request("c"), SIZE);
        assertThat(index.find(Set.of("a")).values())
                .containsExactlyElementsOf(request("a").stream().toList());
        assertThat(index.find(Set.of("c")).values())
                .containsExactlyElementsOf(request("c").stream().toList());
        assertThat(index.isFull()).isTrue();

        index.beginAt(0, 6);

        assertThat(index.find(Set.of("a"))).isEmpty();
        assertThat(index.find(Set.of("b")).values())
                .containsExactlyElementsOf(request("b").stream().toList());
        assertThat(index.isFull()).isFalse();
    }

    @Test
    void reads_each_record_once_and_none_that_a_worker_has_begun() {
        index.beginAt(0, 5);
        assertThat(index.next(0)).isEqualTo(5);
        index.add(0, 5, request("a"), SIZE);

        index.beginAt(0, 3);
        assertThat(index.next(0)).isEqualTo(6);

        index.beginAt(0, 9);
        assertThat(index.next(0)).isEqualTo(9);
    }
}
