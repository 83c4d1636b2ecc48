package org.treerename.simulation.elasticsearch;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;

/**
 * One request: items that are applied one after the other, not atomically, and what its sender makes of their results. It
 * may be executed more than once, and part of it alone.
 *
 * @param what in words, for the history
 * @param answer of the results, in the order of the items
 * @param isSearch whether it searches documents of a tree, or is the refresh that makes such a search trustworthy: a node
 *     that is cut off mostly asks its own copies
 */
public record Request<T>(
        Supplier<String> what, List<Item> items, Function<List<@Nullable Object>, T> answer, boolean isSearch) {

    /** One item, applied at once. What it throws is the answer to the whole request. */
    @FunctionalInterface
    public interface Item {
        @Nullable
        Object apply(View view);

        /** What the answer says of it where the server asks to come again with this item, and has not applied it. */
        default @Nullable Object turnedAway() {
            throw new NoAnswerException("429 es_rejected_execution_exception", null);
        }

        /** The same with another answer where it is turned away. */
        default Item orElse(@Nullable Object otherwise) {
            Item item = this;
            return new Item() {
                @Override
                public @Nullable Object apply(View view) {
                    return item.apply(view);
                }

                @Override
                public @Nullable Object turnedAway() {
                    return otherwise;
                }
            };
        }
    }

    public Request {
        items = List.copyOf(items);
    }

    Request(Supplier<String> what, List<Item> items, Function<List<@Nullable Object>, T> answer) {
        this(what, items, answer, false);
    }

    /** With one item, whose result is the answer. */
    @SuppressWarnings("unchecked")
    static <T> Request<T> of(Supplier<String> what, Item item) {
        return new Request<>(what, List.of(item), results -> (T) results.getFirst());
    }
}
