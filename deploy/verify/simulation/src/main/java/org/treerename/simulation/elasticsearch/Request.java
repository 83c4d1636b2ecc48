package org.treerename.simulation.elasticsearch;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;

/**
 * One request to the simulated Elasticsearch. Its items are applied one after the other, not atomically. The answer is
 * calculated from the results of the items. A request may be executed more than once, or only in part.
 *
 * @param what a text for the history, such as "reads the document d1"
 * @param answer calculates the answer from the results, which are in the order of the items
 * @param isSearch whether the request searches documents of a tree, or refreshes the copies before a search. A cut-off
 *     node usually executes a request of this kind on its own copies
 * @param isOfAnyNode whether a node with an old cluster state may answer, although the sender reaches other nodes too
 */
public record Request<T>(
        Supplier<String> what,
        List<Item> items,
        Function<List<@Nullable Object>, T> answer,
        boolean isSearch,
        boolean isOfAnyNode) {

    /**
     * One item of a request. The item is applied atomically. If an item throws an exception, this exception is the
     * answer to the whole request. The other items are still applied.
     */
    @FunctionalInterface
    public interface Item {
        @Nullable
        Object apply(View view);

        /**
         * Returns the result of an item that Elasticsearch rejects and does not apply. By default, the whole request
         * fails.
         */
        default @Nullable Object turnedAway() {
            throw new NoAnswerException("429 es_rejected_execution_exception", null);
        }

        /** Returns a copy of this item. If Elasticsearch rejects the copy, its result is {@code otherwise}. */
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

    Request(Supplier<String> what, List<Item> items, Function<List<@Nullable Object>, T> answer, boolean isSearch) {
        this(what, items, answer, isSearch, false);
    }

    /** Returns a request with one item, whose result is the answer. */
    static <T> Request<T> of(Supplier<String> what, Item item) {
        return of(what, item, false);
    }

    /** Returns a request with one item that any node may answer. The result of the item is the answer. */
    static <T> Request<T> ofAnyNode(Supplier<String> what, Item item) {
        return of(what, item, true);
    }

    @SuppressWarnings("unchecked")
    private static <T> Request<T> of(Supplier<String> what, Item item, boolean isOfAnyNode) {
        return new Request<>(what, List.of(item), results -> (T) results.getFirst(), false, isOfAnyNode);
    }
}
