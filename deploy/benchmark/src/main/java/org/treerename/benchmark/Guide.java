package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.treerename.benchmark.FilePool.File;

/**
 * A file's rename as the chapter "Solving Concurrency Issues" of <i>Elasticsearch: The Definitive Guide</i> has it, taken
 * literally: one request for each step. What the source stands for is looked up by a search that a refresh begins, for
 * without one it finds what others have renamed since. Nothing here survives the death of its process. Any thread may call
 * it.
 */
record Guide(Es es, GuideLockDocuments documents, GuideLocks trees, String index, FilePool files) {

    /** Only one process makes changes at any time. */
    int global(BooleanSupplier over) {
        if (!documents.createGlobal(over)) {
            return 0;
        }
        File file = files.take();
        update(file, find(file));
        documents.deleteGlobal();
        files.giveBack(file.renamed());
        return 1;
    }

    /** Each document that is to change is locked. */
    int document(BooleanSupplier over) {
        String process = UUID.randomUUID().toString();
        File file = files.take();
        String id = find(file);
        documents.own(id, process);
        update(file, id);
        documents.disown(process);
        files.giveBack(file.renamed());
        return 1;
    }

    /** Exclusive locks on the file's old and new path, and a shared one on every directory above it. */
    int tree(BooleanSupplier over) {
        File file = files.take();
        trees.takeAndGiveBack(locks(file), () -> update(file, find(file)));
        files.giveBack(file.renamed());
        return 1;
    }

    /** The same of one who knows the document's id, and that nobody changes it but under the lock. */
    int treeOfKnownIds(BooleanSupplier over) {
        File file = files.take();
        trees.takeAndGiveBack(locks(file), () -> update(file, file.id()));
        files.giveBack(file.renamed());
        return 1;
    }

    private TreeLocks locks(File file) {
        return new TreeLocks(index, file.path(), file.otherPath());
    }

    /** The id of the document at a path, as it is now. */
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
