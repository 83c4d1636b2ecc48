package org.treerename.producer.reader;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of the result of a query.
 *
 * @param next the position of the next page; null if this is the last page
 */
public record Page<T>(List<T> items, @Nullable Position next) {
    public Page {
        items = List.copyOf(items);
    }
}
