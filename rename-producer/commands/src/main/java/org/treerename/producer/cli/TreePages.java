package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a tree at one moment, page by page, from Elasticsearch or through a gateway. The documents of all committed
 * renames appear as moved. One instance reads one list or one search below one path.
 */
interface TreePages extends AutoCloseable {

    /** A page of a list or of a search. A page with fewer items than requested is not always the last page. */
    record Page(List<ObjectNode> items, boolean isLast) {
        public Page {
            items = List.copyOf(items);
        }
    }

    /** Returns the next entries directly below the path. */
    Page list(int most);

    /**
     * Returns the next documents at or below the path.
     *
     * @param query the condition in the query language of Elasticsearch; null for all documents
     */
    Page find(@Nullable JsonNode query, int most);

    /** Returns the number of matching documents at or below the path. */
    long count(@Nullable JsonNode query);

    /** Returns whether all pages show the tree at one moment. The caller must read a page before this call. */
    boolean isConsistent();

    @Override
    void close();
}
