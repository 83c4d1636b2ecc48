package org.treerename.elastic;

import co.elastic.clients.elasticsearch._types.FieldValue;
import co.elastic.clients.elasticsearch._types.SortOrder;
import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import java.util.List;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.Document;
import org.treerename.tree.PathFields;
import org.treerename.tree.TreeStore.Reach;

/**
 * Reads one slice of a point in time, page by page. Each read returns a complete page, or throws. Only one thread may
 * call this class, except for {@link #pitId}.
 */
final class Slice {

    static final String KEEP_ALIVE = "5m";

    private static final String SEARCH = "/_search?allow_partial_search_results=false";

    /**
     * The documents and the fields that a slice reads.
     *
     * @param fields the fields to read; if empty, whole documents are read
     */
    record Reading(Namespace namespace, TreePath path, Reach reach, List<String> fields) {

        Reading {
            fields = List.copyOf(fields);
        }

        /** Selects all fields of the documents. */
        Reading(Namespace namespace, TreePath path, Reach reach) {
            this(namespace, path, reach, List.of());
        }

        void describe(SearchRequestBody.Builder search, Elastic elastic) {
            if (fields.isEmpty()) {
                Queries.whole(search, elastic);
            } else {
                Queries.fields(search, fields);
            }
            Queries.versions(search, namespace);
            search.query(Queries.of(namespace, path, reach));
        }
    }

    /** The number of one slice, and the total number of slices. */
    record Part(int number, int of) {}

    /**
     * A page of documents.
     *
     * @param bytes the total number of bytes of the documents
     * @param isLast whether no page follows
     */
    record Page(List<Document> documents, long bytes, boolean isLast) {}

    private final Elastic elastic;
    private final Reading reading;
    private final Part part;
    private final PageSize size;
    private volatile String pitId;
    private List<FieldValue> after = Queries.START;

    Slice(Elastic elastic, Reading reading, Part part, PageSize size, String pitId) {
        this.elastic = elastic;
        this.reading = reading;
        this.part = part;
        this.size = size;
        this.pitId = pitId;
    }

    /**
     * Returns the latest id of the point in time; each answer may contain a new id. Any thread may call this method.
     */
    String pitId() {
        return pitId;
    }

    /**
     * Reads the next page.
     *
     * @param bytes the approximate maximum size of the page
     */
    Page next(long bytes) {
        while (true) {
            int documents = size.within(bytes);
            try {
                return page(documents);
            } catch (TooLargeException e) {
                if (!size.tooLarge(documents)) {
                    throw new RefusedException("the document " + nextId() + " at or below " + reading.path()
                            + " is too large to be moved by a process with this heap: " + e.getMessage());
                }
            }
        }
    }

    private Page page(int documents) {
        Elastic.Answer answer = elastic.raw().post(SEARCH, search(documents).build(), HeapShare.LARGEST_ANSWER);
        if (!answer.isOk()) {
            throw new NoAnswerException(
                    "cannot read a page of the documents at or below " + reading.path() + ": " + answer.json(), null);
        }
        SearchAnswer page = SearchAnswer.of(answer);
        String next = page.pitId();
        if (next != null) {
            pitId = next;
        }
        List<SearchAnswer.Hit> hits = page.hits();
        if (!hits.isEmpty()) {
            after = Queries.after(hits.getLast());
        }
        long bytes = hits.stream().mapToLong(hit -> hit.source().bytes().length).sum();
        size.saw(hits.size(), bytes);
        return new Page(
                hits.stream()
                        .map(hit -> document(reading.namespace(), reading.path(), hit))
                        .toList(),
                bytes,
                hits.size() < documents);
    }

    private String nextId() {
        SearchRequestBody.Builder search = search(1).source(source -> source.fetch(false));
        return SearchAnswer.of(elastic.raw().post(SEARCH, search.build())).hits().stream()
                .map(hit -> hit.ref().id() + " in " + hit.ref().index())
                .findFirst()
                .orElse("that follows");
    }

    private SearchRequestBody.Builder search(int documents) {
        SearchRequestBody.Builder search = new SearchRequestBody.Builder()
                .size(documents)
                .trackTotalHits(total -> total.enabled(false))
                .pit(pit -> pit.id(pitId).keepAlive(time -> time.time(KEEP_ALIVE)))
                .sort(Queries.by("_shard_doc", SortOrder.Asc))
                .searchAfter(after);
        reading.describe(search, elastic);
        if (part.of() > 1) {
            search.slice(slice -> slice.id(String.valueOf(part.number())).max(part.of()));
        }
        return search;
    }

    /**
     * Converts a hit to a document. If the path field of the hit is not one string, the document has the searched path.
     */
    static Document document(Namespace namespace, TreePath searchedPath, SearchAnswer.Hit hit) {
        String path = PathFields.path(namespace, hit.source()).orElse(searchedPath.text());
        return new Document(hit.ref(), path, hit.source());
    }
}
