package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HeapShareTest {

    private final HeapShare heap = new HeapShare(100, 10);

    @Test
    void grants_the_free_bytes_and_at_least_a_minimum() {
        assertThat(heap.take(60)).isEqualTo(60);
        assertThat(heap.take(60)).isEqualTo(40);
        assertThat(heap.take(60)).isEqualTo(10);
        assertThat(heap.take(5)).isEqualTo(5);
    }

    @Test
    void returned_bytes_are_free_again() {
        heap.take(60);
        heap.take(60);
        heap.release(60);

        assertThat(heap.take(100)).isEqualTo(60);
    }

    @Test
    void a_correction_counts_the_actual_size() {
        heap.correct(heap.take(60), 20);
        assertThat(heap.free()).isEqualTo(80);
        heap.correct(heap.take(60), 90);
        assertThat(heap.free()).isEqualTo(-10);
        heap.release(90);
        heap.release(20);
        assertThat(heap.free()).isEqualTo(100);
    }
}
