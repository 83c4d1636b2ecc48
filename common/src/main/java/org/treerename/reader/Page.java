package org.treerename.reader;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the answers to one question.
 *
 * @param next the position of the next page; null if nothing follows
 */
public record Page<T>(List<T> items, @Nullable Position next) {
    public Page {
        items = List.copyOf(items);
    }
}
