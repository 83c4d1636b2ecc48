package org.treerename.checker;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;

/**
 * All documents of a namespace, read from Elasticsearch.
 *
 * @param stored the documents, in no particular order
 */
public record TreeDump(Namespace namespace, List<StoredDocument> stored) {

    /**
     * One document and its path fields.
     *
     * @param path the path; null if the field is missing or not a string. This also applies to {@code parent} and
     *     {@code name}
     * @param seqNo the sequence number of the last write of the document
     */
    public record StoredDocument(
            TreeDocument document,
            @Nullable String path,
            @Nullable String parent,
            @Nullable String name,
            long seqNo) {}

    public TreeDump {
        stored = List.copyOf(stored);
    }

    /** Reads all documents after a refresh. Throws an exception if the result is not complete. */
    public static TreeDump read(ElasticsearchHttp http, Namespace namespace) {
        var query = ElasticsearchHttp.MAPPER.createObjectNode();
        query.putObject("match_all");
        return new TreeDump(
                namespace,
                SearchPages.read(http, namespace.index(), query, source -> SourceDigest.of(source, namespace)).stream()
                        .map(TreeDump::stored)
                        .toList());
    }

    private static StoredDocument stored(SearchPages.Hit<SourceDigest> hit) {
        SourceDigest source = hit.source();
        TreeDocument document =
                new TreeDocument(hit.index() + "/" + hit.id(), source.directory(), source.digest(), hit.routing());
        return new StoredDocument(document, source.path(), source.parent(), source.name(), hit.seqNo());
    }
}
