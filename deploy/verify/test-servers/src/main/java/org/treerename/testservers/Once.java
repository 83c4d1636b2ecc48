package org.treerename.testservers;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is created once, at the first request. A failure is stored as well. Otherwise every test of a run would
 * wait for a server that does not start.
 */
final class Once<V> {
    private final Supplier<V> factory;
    private @Nullable V value;
    private @Nullable RuntimeException failure;

    Once(Supplier<V> factory) {
        this.factory = factory;
    }

    synchronized V get() {
        if (failure != null) {
            throw new IllegalStateException(failure.getMessage(), failure);
        }
        if (value == null) {
            value = create();
        }
        return value;
    }

    private V create() {
        try {
            return factory.get();
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
    }
}
