package org.treerename.producer.reader;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.tree.Document;
import org.treerename.tree.RawJson;

/** The stored documents of one tree at one moment. Only one thread calls this interface. */
public interface PointInTime {

    /**
     * One read of documents of a region, in the order of their stored keys. A key is a path, or a directory and a name.
     * Keys are compared by code points.
     *
     * @param query a query that the documents match; null for all documents
     * @param fields the fields that are read; if empty, whole documents are read
     * @param from the smallest first part of a key; null for no bound
     * @param after the {@link Found#position} of the last document that was read; null to read from the start
     * @param most the largest number of documents
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
     * A document that was read.
     *
     * @param key the stored key by which the document is ordered
     * @param position the position of the document in its region
     */
    record Found(Document document, List<String> key, String position) {
        public Found {
            key = List.copyOf(key);
        }
    }

    /**
     * The result of one read. If the documents are large, the result may have fewer documents than requested.
     *
     * @param isLast whether no document of the region follows
     */
    record Batch(List<Found> found, boolean isLast) {
        public Batch {
            found = List.copyOf(found);
        }
    }

    /**
     * Announces the number of regions that a query reads. The caller must call this method before the reads of the
     * query.
     *
     * @param regions the number of regions to read; each region needs its own request
     * @throws OneSearch.NotEnoughException if the query needs more reads than this point in time permits
     */
    default void expect(int regions) {}

    /**
     * Returns the next documents of a region. Returns at least one document, unless the region has no more documents.
     */
    Batch read(Reading reading);

    /** Counts the documents of each group of regions. */
    List<Long> count(List<List<Region>> groups, @Nullable RawJson query);

    /** Returns the id by which another process can use this point in time. The id may change with each search. */
    String id();

    /** Closes this point in time. A further call does nothing. */
    void close();
}
