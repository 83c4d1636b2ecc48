package org.treerename.benchmark;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.treerename.benchmark.FilePool.File;

/**
 * Renames files by bulk updates, at the full speed of Elasticsearch and without any guarantee. No search is necessary,
 * because the ids of the documents are known. Any thread may call this class.
 *
 * @param renames the number of renames in one bulk request
 */
record BulkUpdates(Es es, String index, FilePool files, int renames) {

    int once(BooleanSupplier over) {
        send("");
        return renames;
    }

    /** Sends one bulk request, and waits until searches find the new paths of its files. */
    void onceWithRefresh() {
        send("?refresh=true");
    }

    private void send(String query) {
        List<File> taken = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < renames; i++) {
            File file = files.take();
            taken.add(file);
            lines.append("{\"update\":{\"_id\":\"%s\"}}\n%s\n".formatted(file.id(), file.update()));
        }
        byte[] body = lines.toString().getBytes(StandardCharsets.UTF_8);
        if (es.bulk(index + "/_bulk" + query, body).json().path("errors").asBoolean(true)) {
            throw new IllegalStateException("expected that Elasticsearch accepts all " + renames
                    + " updates of a bulk request, but it refused some");
        }
        taken.forEach(file -> files.putBack(file.renamed()));
    }
}
