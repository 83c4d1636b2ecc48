package org.treerename.simulation.elasticsearch;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;

/**
 * One request. Its items are applied one after the other, not atomically. Its answer is calculated from their results. A
 * request may be executed more than once, or only in part.
 *
 * @param what a text for the history, such as "reads the document d1"
 * @param answer the function from the results, in the order of the items, to the answer
 * @param isSearch whether it searches documents of a tree, or is the refresh before such a search. For these requests a node
 *     that is cut off mostly uses its own copies
 */
public record Request<T>(
        Supplier<String> what, List<Item> items, Function<List<@Nullable Object>, T> answer, boolean isSearch) {

    /** One item, applied atomically. An exception of an item is the answer to the whole request. */
    @FunctionalInterface
    public interface Item {
        @Nullable
        Object apply(View view);

        /** Returns the result if the server rejects this item without applying it, and the client must send it again. */
        default @Nullable Object turnedAway() {
            throw new NoAnswerException("429 es_rejected_execution_exception", null);
        }

        /** Returns this item with another result for a rejection by the server. */
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

    /** Returns a request with one item, whose result is the answer. */
    @SuppressWarnings("unchecked")
    static <T> Request<T> of(Supplier<String> what, Item item) {
        return new Request<>(what, List.of(item), results -> (T) results.getFirst());
    }
}
