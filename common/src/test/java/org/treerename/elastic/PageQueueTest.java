package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.runtime.BlockedCall;

@Timeout(60)
final class PageQueueTest {

    /** A queue that is full when its items together have at least three letters. */
    private final PageQueue<String> queue =
            new PageQueue<>(elements -> String.join("", elements).length() < 3);

    @Test
    void takes_elements_in_the_order_of_their_puts() {
        assertThat(queue.put("a")).isTrue();
        assertThat(queue.put("bb")).isTrue();
        CompletableFuture<Boolean> third = BlockedCall.of(() -> queue.put("c"));

        assertThat(queue.take()).isEqualTo("a");
        assertThat(third.join()).isTrue();
        assertThat(queue.take()).isEqualTo("bb");
        assertThat(queue.take()).isEqualTo("c");
    }

    @Test
    void takes_the_first_element_only_if_it_matches() {
        assertThat(queue.takeIf(next -> true)).isEmpty();
        queue.put("aa");
        queue.put("bb");
        CompletableFuture<Boolean> third = BlockedCall.of(() -> queue.put("c"));

        assertThat(queue.takeIf("bb"::equals)).isEmpty();
        assertThat(queue.takeIf("aa"::equals)).contains("aa");
        assertThat(third.join()).isTrue();
        assertThat(queue.take()).isEqualTo("bb");
    }

    @Test
    void accepts_an_element_without_room_if_the_queue_is_empty() {
        PageQueue<String> narrow = new PageQueue<>(elements -> false);

        assertThat(narrow.put("a")).isTrue();
        CompletableFuture<Boolean> second = BlockedCall.of(() -> narrow.put("b"));
        assertThat(narrow.take()).isEqualTo("a");
        assertThat(second.join()).isTrue();
    }

    @Test
    void take_blocks_until_there_is_an_element() {
        CompletableFuture<String> taken = BlockedCall.of(queue::take);

        queue.put("a");

        assertThat(taken.join()).isEqualTo("a");
    }

    @Test
    void a_put_that_waits_for_room_returns_false_when_the_queue_is_closed() {
        queue.put("aaa");
        CompletableFuture<Boolean> second = BlockedCall.of(() -> queue.put("b"));

        assertThat(queue.close()).containsExactly("aaa");

        assertThat(second.join()).isFalse();
        assertThat(queue.put("c")).isFalse();
        assertThat(queue.isClosed()).isTrue();
        assertThatThrownBy(queue::take).isInstanceOf(IllegalStateException.class);
    }
}
