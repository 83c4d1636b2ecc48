package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HandoverTest {

    private final Handover<String> handover = new Handover<>();

    /** Of a thread that blocks in it by now. */
    private static <T> CompletableFuture<T> blocked(Supplier<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                result.complete(call.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return result;
    }

    @Test
    void what_is_put_is_taken_in_its_order() {
        assertThat(handover.put("a")).isTrue();
        CompletableFuture<Boolean> second = blocked(() -> handover.put("b"));

        assertThat(handover.take()).isEqualTo("a");
        assertThat(second.join()).isTrue();
        assertThat(handover.take()).isEqualTo("b");
    }

    @Test
    void who_takes_waits_for_something() {
        CompletableFuture<String> taken = blocked(handover::take);

        handover.put("a");

        assertThat(taken.join()).isEqualTo("a");
    }

    @Test
    void who_waits_for_room_learns_that_it_is_closed() {
        handover.put("a");
        CompletableFuture<Boolean> second = blocked(() -> handover.put("b"));

        assertThat(handover.close()).containsExactly("a");

        assertThat(second.join()).isFalse();
        assertThat(handover.put("c")).isFalse();
        assertThat(handover.isClosed()).isTrue();
        assertThatThrownBy(handover::take).isInstanceOf(IllegalStateException.class);
    }
}
