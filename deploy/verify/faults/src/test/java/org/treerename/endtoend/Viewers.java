package org.treerename.endtoend;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.treerename.checker.SeenView;
import org.treerename.path.TreePath;
import org.treerename.producer.TreeReader;
import org.treerename.producer.reader.Page;
import org.treerename.producer.reader.Position;
import org.treerename.producer.reader.Reach;
import org.treerename.producer.reader.TreeChangedException;
import org.treerename.producer.reader.TreeEntry;
import org.treerename.producer.reader.TreeView;
import org.treerename.producer.reader.ViewExpiredException;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Runs readers of one tree. Each reader opens one view after the other, and passes the entries of each view to {@link
 * ChangeCheck}.
 */
final class Viewers implements AutoCloseable {

    private static final int READERS = 2;

    /** The number of entries on a page. A view has several pages. */
    private static final int PAGE = 300;

    private static final long PAUSE_NANOS = 10_000_000;

    private final ChangeCheck changeCheck;
    private final Tree tree;
    private final List<String> paths;
    private final TreeReader trees;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> readers = new ArrayList<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger givenUp = new AtomicInteger();
    private volatile boolean isOver;

    private Viewers(ChangeCheck changeCheck, Tree tree, List<String> paths, TreeReader trees) {
        this.changeCheck = changeCheck;
        this.tree = tree;
        this.paths = List.copyOf(paths);
        this.trees = trees;
    }

    /**
     * Starts the readers.
     *
     * @param paths the paths for which the readers open views
     */
    static Viewers start(ChangeCheck changeCheck, Elasticsearch elasticsearch, Tree tree, List<String> paths) {
        Viewers viewers = new Viewers(changeCheck, tree, paths, TreeReader.connect(elasticsearch.url()));
        for (int i = 0; i < READERS; i++) {
            Random random = new Random(i);
            viewers.readers.add(viewers.threads.submit(() -> viewers.view(random)));
        }
        return viewers;
    }

    /** Returns the number of views from which readers read all entries. */
    int answered() {
        return answered.get();
    }

    /** Returns the number of views that readers gave up because renames followed each other too fast. */
    int givenUp() {
        return givenUp.get();
    }

    private void view(Random random) {
        while (!isOver) {
            try {
                changeCheck.saw(seen(paths.get(random.nextInt(paths.size()))));
                answered.incrementAndGet();
            } catch (TreeChangedException e) {
                givenUp.incrementAndGet();
            } catch (NoAnswerException | RefusedException | ViewExpiredException e) {
                // Elasticsearch did not answer, refused the request, or lost the view; try again after a pause
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private SeenView seen(String text) {
        TreePath path = trees.path(tree.name(), text);
        Map<String, String> shown = new HashMap<>();
        Instant asked = Instant.now();
        try (TreeView view = trees.open(tree.name(), text)) {
            Instant opened = Instant.now();
            @Nullable Position after = null;
            do {
                Page<TreeEntry> page = view.find(path, Reach.AT_OR_BELOW, null, after, PAGE);
                for (TreeEntry entry : page.items()) {
                    String before = shown.put(entry.index() + "/" + entry.id(), entry.path());
                    if (before != null) {
                        throw new IllegalStateException(
                                entry.id() + " was shown at " + before + " and " + entry.path());
                    }
                }
                after = page.next();
            } while (after != null);
            return new SeenView(asked, opened, text, shown);
        }
    }

    /** Ends the readers. If a reader failed, throws the exception of this reader. */
    void end() throws Exception {
        isOver = true;
        for (Future<?> reader : readers) {
            reader.get();
        }
    }

    @Override
    public void close() {
        isOver = true;
        threads.close();
        trees.close();
    }
}
