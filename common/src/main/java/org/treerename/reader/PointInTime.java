package org.treerename.reader;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.rename.Document;
import org.treerename.rename.RawJson;

/** The stored documents of one tree as they were at one moment. One thread calls it. */
public interface PointInTime {

    /**
     * Which documents of a region are read, in the order of their stored keys: a path, or a directory and a name, by code points.
     *
     * @param query that the documents match as well; null for all
     * @param fields that are read; if empty, whole documents are
     * @param from the least first part of a key; null for the first one
     * @param after the {@link Found#position} of the document before the next one; null for the first one
     */
    record Reading(
            Region region,
            @Nullable RawJson query,
            List<String> fields,
            @Nullable String from,
            @Nullable String after,
            int most) {
        public Reading {
            fields = List.copyOf(fields);
        }
    }

    /**
     * One document.
     *
     * @param key by which it is ordered
     * @param position of the document among those of its region
     */
    record Found(Document document, List<String> key, String position) {
        public Found {
            key = List.copyOf(key);
        }
    }

    /**
     * Some documents; of large ones fewer than were asked for.
     *
     * @param isLast whether nothing follows in the region
     */
    record Batch(List<Found> found, boolean isLast) {
        public Batch {
            found = List.copyOf(found);
        }
    }

    /**
     * Called before a question.
     *
     * @param regions how many are read for it, each by a request of its own
     * @throws OneSearch.NotEnoughException if it cannot answer the question
     */
    default void expect(int regions) {}

    /** Returns the next documents of a region, at least one if there is one. */
    Batch read(Reading reading);

    /** Counts the documents of each group of regions. */
    List<Long> count(List<List<Region>> groups, @Nullable RawJson query);

    /** Returns by which id another process can go on. It may change with each call. */
    String id();

    /** Ends it. Another call does nothing. */
    void close();
}
