package org.treerename.checker;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.path.Namespace;

/**
 * Every document of a namespace as it stands in Elasticsearch.
 *
 * @param standing in no promised order
 */
public record TreeDump(Namespace namespace, List<Standing> standing) {

    /**
     * One document and what its path fields say.
     *
     * @param path null where the field is missing or no string, as the other two
     * @param seqNo of its last write
     */
    public record Standing(
            TreeDocument document,
            @Nullable String path,
            @Nullable String parent,
            @Nullable String name,
            long seqNo) {}

    public TreeDump {
        standing = List.copyOf(standing);
    }

    /** Reads all of them, strictly, after a refresh. */
    public static TreeDump read(ElasticsearchHttp http, Namespace namespace) {
        var query = ElasticsearchHttp.MAPPER.createObjectNode();
        query.putObject("match_all");
        return new TreeDump(
                namespace,
                SearchPages.read(http, namespace.index(), query, source -> SourceDigest.of(source, namespace)).stream()
                        .map(TreeDump::standing)
                        .toList());
    }

    private static Standing standing(SearchPages.Hit<SourceDigest> hit) {
        SourceDigest source = hit.source();
        TreeDocument document =
                new TreeDocument(hit.index() + "/" + hit.id(), source.directory(), source.digest(), hit.routing());
        return new Standing(document, source.path(), source.parent(), source.name(), hit.seqNo());
    }
}
