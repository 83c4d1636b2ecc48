package org.treerename.testservers;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is made when it is first asked for, and only once: a failure stays too, so that not every test of a run
 * waits for the same server that does not come up.
 */
final class Once<V> {
    private final Supplier<V> maker;
    private @Nullable V value;
    private @Nullable RuntimeException failure;

    Once(Supplier<V> maker) {
        this.maker = maker;
    }

    synchronized V get() {
        if (failure != null) {
            throw new IllegalStateException(failure.getMessage(), failure);
        }
        if (value == null) {
            value = make();
        }
        return value;
    }

    private V make() {
        try {
            return maker.get();
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
    }
}
