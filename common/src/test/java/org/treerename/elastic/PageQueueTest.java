package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.runtime.BlockedCall;

@Timeout(60)
final class PageQueueTest {

    /** It has room for three letters. */
    private final PageQueue<String> handover =
            new PageQueue<>(lying -> String.join("", lying).length() < 3);

    @Test
    void what_is_put_is_taken_in_its_order() {
        assertThat(handover.put("a")).isTrue();
        assertThat(handover.put("bb")).isTrue();
        CompletableFuture<Boolean> third = BlockedCall.of(() -> handover.put("c"));

        assertThat(handover.take()).isEqualTo("a");
        assertThat(third.join()).isTrue();
        assertThat(handover.take()).isEqualTo("bb");
        assertThat(handover.take()).isEqualTo("c");
    }

    @Test
    void what_lies_first_is_taken_if_it_is_wanted() {
        assertThat(handover.takeIf(next -> true)).isEmpty();
        handover.put("aa");
        handover.put("bb");
        CompletableFuture<Boolean> third = BlockedCall.of(() -> handover.put("c"));

        assertThat(handover.takeIf("bb"::equals)).isEmpty();
        assertThat(handover.takeIf("aa"::equals)).contains("aa");
        assertThat(third.join()).isTrue();
        assertThat(handover.take()).isEqualTo("bb");
    }

    @Test
    void what_has_no_room_finds_it_where_nothing_lies() {
        PageQueue<String> narrow = new PageQueue<>(lying -> false);

        assertThat(narrow.put("a")).isTrue();
        CompletableFuture<Boolean> second = BlockedCall.of(() -> narrow.put("b"));
        assertThat(narrow.take()).isEqualTo("a");
        assertThat(second.join()).isTrue();
    }

    @Test
    void who_takes_waits_for_something() {
        CompletableFuture<String> taken = BlockedCall.of(handover::take);

        handover.put("a");

        assertThat(taken.join()).isEqualTo("a");
    }

    @Test
    void who_waits_for_room_learns_that_it_is_closed() {
        handover.put("aaa");
        CompletableFuture<Boolean> second = BlockedCall.of(() -> handover.put("b"));

        assertThat(handover.close()).containsExactly("aaa");

        assertThat(second.join()).isFalse();
        assertThat(handover.put("c")).isFalse();
        assertThat(handover.isClosed()).isTrue();
        assertThatThrownBy(handover::take).isInstanceOf(IllegalStateException.class);
    }
}
