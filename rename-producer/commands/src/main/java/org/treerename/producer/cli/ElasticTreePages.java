package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.producer.reader.Child;
import org.treerename.producer.reader.ElasticPointsInTime;
import org.treerename.producer.reader.Position;
import org.treerename.producer.reader.Reach;
import org.treerename.producer.reader.TreeEntry;
import org.treerename.producer.reader.TreeView;
import org.treerename.producer.reader.TreeViews;
import org.treerename.runtime.SystemTime;
import org.treerename.tree.RawJson;

/** Reads the pages of a list or of a search from one view of a tree in Elasticsearch. */
final class ElasticTreePages implements TreePages {

    private final Elastic elastic;
    private final TreeView view;
    private final TreePath at;
    private @Nullable Position next;

    private ElasticTreePages(Elastic elastic, TreeView view, TreePath at) {
        this.elastic = elastic;
        this.view = view;
        this.at = at;
    }

    /**
     * Opens a view of the documents at and below a path.
     *
     * @throws IllegalArgumentException if the namespace does not exist, or the path is not valid in the namespace
     */
    static TreePages open(Elastic.Settings settings, String namespace, String path, boolean mayBeInconsistent) {
        Elastic elastic = Elastic.connect(settings);
        try {
            ControlIndex control = new ControlIndex(elastic);
            Namespace found = new ElasticNamespaces(elastic, control).require(namespace);
            TreePath at = found.notation().path(path);
            TreeViews views = new TreeViews(
                    new ElasticLockStore(control),
                    new ElasticJournal(control),
                    new ElasticPointsInTime(elastic),
                    new SystemTime());
            return new ElasticTreePages(
                    elastic, views.open(found, at, new TreeViews.Options(true, mayBeInconsistent)), at);
        } catch (RuntimeException e) {
            elastic.close();
            throw e;
        }
    }

    @Override
    public Page list(int most) {
        var page = view.list(at, next, Math.min(most, TreeView.LARGEST_PAGE));
        next = page.next();
        return new Page(page.items().stream().map(ElasticTreePages::json).toList(), next == null);
    }

    private static ObjectNode json(Child child) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("path", child.path())
                .put("directory", child.directory())
                .put("documents", child.documents())
                .put("below", child.below());
    }

    @Override
    public Page find(@Nullable JsonNode query, int most) {
        var page = view.find(at, Reach.AT_OR_BELOW, raw(query), next, Math.min(most, TreeView.LARGEST_PAGE));
        next = page.next();
        return new Page(page.items().stream().map(ElasticTreePages::json).toList(), next == null);
    }

    private static ObjectNode json(TreeEntry entry) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("path", entry.path())
                .put("index", entry.index())
                .put("id", entry.id());
        if (entry.routing() != null) {
            json.put("routing", entry.routing());
        }
        json.putRawValue("source", new RawValue(entry.source().toString()));
        return json;
    }

    @Override
    public long count(@Nullable JsonNode query) {
        return view.count(at, Reach.AT_OR_BELOW, raw(query));
    }

    private static @Nullable RawJson raw(@Nullable JsonNode query) {
        return query == null ? null : RawJson.of(query.toString());
    }

    @Override
    public boolean isConsistent() {
        return view.isConsistent();
    }

    @Override
    public void close() {
        try (elastic) {
            view.close();
        }
    }
}
