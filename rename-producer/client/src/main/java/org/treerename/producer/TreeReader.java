package org.treerename.producer;

import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.installation.Installation;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.producer.reader.ElasticPointsInTime;
import org.treerename.producer.reader.Reach;
import org.treerename.producer.reader.TreeEntry;
import org.treerename.producer.reader.TreeView;
import org.treerename.producer.reader.TreeViews;
import org.treerename.runtime.SystemTime;
import org.treerename.tree.RawJson;

/**
 * Reads trees while renames move documents. Each rename becomes visible in one step, at its commit. Create one reader
 * and reuse it. Any thread may call a reader.
 *
 * <pre>{@code
 * try (TreeReader trees = TreeReader.connect("http://localhost:9200");
 *         TreeView view = trees.open("files", "/clinton")) {
 *     for (Child child : view.list(trees.path("files", "/clinton"), null, 100).items()) {
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>All queries and pages of a view show the tree at one moment. Only one thread may use a view. For a single query
 * use {@link #get}, {@link #find} or {@link #count}. These methods send fewer requests than a view.
 *
 * <p>The methods throw {@link org.treerename.store.NoAnswerException} if Elasticsearch does not answer. The methods
 * throw {@link org.treerename.store.RefusedException} if Elasticsearch refuses a request. The methods throw {@link
 * org.treerename.producer.reader.TreeChangedException} if renames are committed so often that no view shows one state
 * of the tree.
 */
public final class TreeReader implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Elastic elastic;
    private final ElasticNamespaces namespaces;
    private final TreeViews views;
    private final TreeViews.Options options;

    private TreeReader(Elastic elastic, TreeViews.Options options) {
        ControlIndex control = new ControlIndex(elastic);
        this.elastic = elastic;
        this.namespaces = new ElasticNamespaces(elastic, control);
        this.views = new TreeViews(
                new ElasticLockStore(control),
                new ElasticJournal(control),
                new ElasticPointsInTime(elastic),
                new SystemTime());
        this.options = options;
    }

    /**
     * Creates a reader for the installation that has no prefix. The first query opens the connection.
     *
     * @param urls the URLs of Elasticsearch, separated by commas
     */
    public static TreeReader connect(String urls) {
        return connect(urls, "");
    }

    /**
     * Creates a reader for one installation. The first query opens the connection.
     *
     * @param urls the URLs of Elasticsearch, separated by commas
     * @param prefix the prefix of the installation whose workers rename the documents; empty for no prefix
     * @throws IllegalArgumentException if the prefix is not valid
     */
    public static TreeReader connect(String urls, String prefix) {
        return connect(Elastic.Settings.of(urls, TIMEOUT).in(new Installation(prefix)), TreeViews.Options.DEFAULT);
    }

    /**
     * Creates a reader with these settings of the connection and these options of views. The first query opens the
     * connection.
     */
    public static TreeReader connect(Elastic.Settings settings, TreeViews.Options options) {
        return new TreeReader(Elastic.connect(settings), options);
    }

    /**
     * Parses a path in the notation of a namespace.
     *
     * @throws IllegalArgumentException if the text is not a valid path, or there is no such namespace
     */
    public TreePath path(String namespace, String text) {
        return namespaces.require(namespace).notation().path(text);
    }

    /**
     * Opens a view of the documents at and below a path.
     *
     * @throws IllegalArgumentException if the path is not valid, or there is no such namespace
     */
    public TreeView open(String namespace, String path) {
        Namespace found = namespaces.require(namespace);
        return views.open(found, found.notation().path(path), options);
    }

    /** Returns the documents at a path, at most {@value TreeView#LARGEST_PAGE} documents. */
    public List<TreeEntry> get(String namespace, String path) {
        return answer(
                namespace,
                path,
                (view, at) -> view.find(at, Reach.EXACTLY, null, null, TreeView.LARGEST_PAGE)
                        .items());
    }

    /**
     * Returns the first documents at and below a path, in the order of {@link TreeView#find}.
     *
     * @param query an Elasticsearch query in JSON that the documents match; null for all documents
     * @param most the largest number of documents, 1 to {@value TreeView#LARGEST_PAGE}
     */
    public List<TreeEntry> find(String namespace, String path, @Nullable String query, int most) {
        return answer(
                namespace,
                path,
                (view, at) -> view.find(at, Reach.AT_OR_BELOW, json(query), null, most)
                        .items());
    }

    /**
     * Counts the documents at and below a path.
     *
     * @param query an Elasticsearch query in JSON that the documents match; null for all documents
     */
    public long count(String namespace, String path, @Nullable String query) {
        return answer(namespace, path, (view, at) -> view.count(at, Reach.AT_OR_BELOW, json(query)));
    }

    /**
     * Checks the connection to Elasticsearch: reads the definitions of the namespaces once from the control index.
     *
     * @throws org.treerename.store.NoAnswerException if Elasticsearch does not answer
     * @throws org.treerename.store.RefusedException if Elasticsearch refuses the request
     */
    public void check() {
        var unused = namespaces.stored();
    }

    private <T> T answer(String name, String path, BiFunction<TreeView, TreePath, T> question) {
        Namespace namespace = namespaces.require(name);
        TreePath at = namespace.notation().path(path);
        return views.answer(namespace, at, options, view -> question.apply(view, at));
    }

    private static @Nullable RawJson json(@Nullable String query) {
        return query == null ? null : RawJson.of(query);
    }

    @Override
    public void close() {
        elastic.close();
    }
}
