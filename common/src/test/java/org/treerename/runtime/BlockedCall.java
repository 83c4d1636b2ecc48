package org.treerename.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Starts calls that are expected to block. */
public final class BlockedCall {

    private BlockedCall() {}

    /** Runs a call in a new thread. Returns when that thread waits or has ended. */
    public static <T> CompletableFuture<T> of(Supplier<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                result.complete(call.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        while (thread.isAlive() && thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return result;
    }
}
