package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.treerename.benchmark.FilePool.File;

/**
 * Renames a file as in the chapter "Solving Concurrency Issues" of <i>Elasticsearch: The Definitive Guide</i>. The code
 * follows the chapter literally, with one request for each step. A search finds the document of the source. The code
 * refreshes the index before the search, because otherwise the search could find old paths. If the process dies during
 * a rename, no other process finishes this rename. Any thread may call this class.
 */
record Guide(Es es, GuideLockDocuments documents, GuideLocks trees, String index, FilePool files) {

    /** Renames a file under the global lock. Only one client at a time renames a file. */
    int global(BooleanSupplier over) {
        if (!documents.createGlobal(over)) {
            return 0;
        }
        File file = files.take();
        update(file, find(file));
        documents.deleteGlobal();
        files.putBack(file.renamed());
        return 1;
    }

    /** Renames a file under a lock on its document. */
    int document(BooleanSupplier over) {
        String process = UUID.randomUUID().toString();
        File file = files.take();
        String id = find(file);
        documents.own(id, process);
        update(file, id);
        documents.disown(process);
        files.putBack(file.renamed());
        return 1;
    }

    /**
     * Renames a file under exclusive locks on its old path and its new path. Every directory above these paths has a
     * shared lock.
     */
    int tree(BooleanSupplier over) {
        File file = files.take();
        trees.acquireAndRelease(locks(file), () -> update(file, find(file)));
        files.putBack(file.renamed());
        return 1;
    }

    /**
     * Renames a file under the locks of {@link #tree}, but without a search. No search is necessary, because the id of
     * the document is known.
     */
    int treeOfKnownIds(BooleanSupplier over) {
        File file = files.take();
        trees.acquireAndRelease(locks(file), () -> update(file, file.id()));
        files.putBack(file.renamed());
        return 1;
    }

    private TreeLocks locks(File file) {
        return new TreeLocks(index, file.path(), file.otherPath());
    }

    /** Returns the id of the document that is at the path of the file. */
    private String find(File file) {
        es.post(index + "/_refresh", "").orThrow();
        JsonNode hits = es.post(index + "/_search", "{\"query\":{\"term\":{\"path\":\"%s\"}}}".formatted(file.path()))
                .json()
                .path("hits")
                .path("hits");
        if (hits.size() != 1) {
            throw new IllegalStateException("expected one document at " + file.path() + ", found " + hits.size());
        }
        return hits.path(0).path("_id").asText();
    }

    private void update(File file, String id) {
        es.post(index + "/_update/" + id, file.update()).orThrow();
    }
}
