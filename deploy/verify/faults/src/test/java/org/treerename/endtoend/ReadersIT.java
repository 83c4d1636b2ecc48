package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.treerename.path.TreePath;
import org.treerename.producer.TreeReader;
import org.treerename.producer.reader.Child;
import org.treerename.producer.reader.Page;
import org.treerename.producer.reader.Position;
import org.treerename.producer.reader.Reach;
import org.treerename.producer.reader.TreeEntry;
import org.treerename.producer.reader.TreeView;
import org.treerename.stack.ChildProcess;
import org.treerename.testservers.TestServers;
import org.treerename.tree.RawJson;

/**
 * Searches a tree without pause while a directory is renamed. The worker is killed in the middle of the rename. Each
 * answer shows the old tree or the new tree. The system property {@code readers.documents} sets the number of renamed
 * files. A million files need a larger heap for Elasticsearch and more time, for example {@code
 * -Delasticsearch.heap=4g} and {@code -Dtest.timeout=20m}.
 */
final class ReadersIT {

    private static final int FILES = Integer.getInteger("readers.documents", 4_000);
    private static final int READERS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(2).plusMillis(2L * FILES);
    private static final int PAGE = 1_000;
    private static final TreePath ROOT = TreePath.ROOT;

    /**
     * The answers of one reader, in their order.
     *
     * @param sources the directories that contain all files; one directory for each answer that showed only the old or
     *     only the new tree
     * @param others the answers that mixed the old and the new tree
     */
    private record Answers(List<String> sources, List<String> others) {

        void add(String answer) {
            (answer.startsWith("/") ? sources : others).add(answer);
        }

        int size() {
            return sources.size() + others.size();
        }
    }

    /**
     * Searches a view. Returns the directory that contains all files, or the text of an answer that mixes the old and
     * the new tree.
     */
    private interface Question {
        String ask(TreeView view);
    }

    @Test
    void each_answer_is_the_old_tree_or_the_new_one() throws Exception {
        Tree tree = Tree.create().directories("/source", "/source/sub", "/other");
        IntStream.range(0, FILES).forEach(i -> tree.files("/source/" + (i % 2 == 0 ? "sub/" : "") + "file-" + i));
        ObjectNode request = Requests.rename(tree.index().name(), "/source", "/other/destination");
        Group group = Group.atTheEndOfTheLog();
        AtomicBoolean isOver = new AtomicBoolean();
        List<Future<Answers>> readers = new ArrayList<>();
        try (Log topics = Log.open();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                TreeReader trees = TreeReader.connect(TestServers.elasticsearchUrl());
                Workers dying = Workers.instrumented(
                        1, group.option(), "--lease=2s", "--page-size=500", "--crash-at=between_pages:4")) {
            List<Question> questions = List.of(ReadersIT::counted, ReadersIT::listed, ReadersIT::found);
            CountDownLatch begun = new CountDownLatch(READERS);
            readers.add(threads.submit(readerOfSingleAnswers(trees, tree, begun, isOver)));
            for (int i = 1; i < READERS; i++) {
                readers.add(threads.submit(reader(trees, tree, questions.get(i % questions.size()), begun, isOver)));
            }
            assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("every reader has seen the old tree")
                    .isTrue();
            topics.send(0, request.toString());
            ChildProcess killed = dying.processes().getFirst();
            assertThat(killed.waitFor(Log.PATIENCE)).isEqualTo(CrashCase.KILLED);
            long moved = stored(tree, "/other/destination");
            assertThat(moved).as("documents that the dead worker has moved").isBetween(1L, FILES - 1L);
            try (TreeView view = trees.open(tree.name(), "/")) {
                assertThat(List.of(counted(view), listed(view), found(view)))
                        .as("answers while the documents are at both paths and no worker lives")
                        .containsOnly("/other/destination");
            }
            assertThat(trees.count(tree.name(), "/other", "{\"term\":{\"type\":\"file\"}}"))
                    .isEqualTo(FILES);
            assertThat(trees.get(tree.name(), "/other/destination"))
                    .extracting(TreeEntry::path, entry -> entry.source().toString())
                    .containsExactly(
                            tuple(
                                    "/other/destination",
                                    "{\"path\":\"/other/destination\",\"parent\":\"/other\",\"name\":\"destination\",\"type\":\"directory\"}"));
            try (Services janitors =
                            Services.start("janitor", Program.JANITOR, 1, List.of("--lease=2s", "--sweep-every=10m"));
                    Workers next = Workers.start(1, group.option(), "--lease=2s")) {
                Awaitility.await("the outcome")
                        .atMost(PATIENCE)
                        .until(() -> !topics.outcomes(Requests.id(request)).isEmpty());
                assertThat(topics.outcome(Requests.id(request)).path("status").asText())
                        .isEqualTo("completed");
                tree.assertNothingLeft();
                assertThat(janitors.processes()).hasSize(1);
            } finally {
                isOver.set(true);
            }

            for (Future<Answers> reader : readers) {
                Answers answers = reader.get();
                assertThat(answers.others())
                        .as("answers that mix the old and the new tree")
                        .isEmpty();
                assertThat(answers.sources()).containsOnly("/source", "/other/destination");
                assertThat(changes(answers.sources()))
                        .as("changes from the old tree to the new one")
                        .isEqualTo(1);
            }
        }
    }

    /** Returns the number of documents that Elasticsearch contains at and below a path. */
    private static long stored(Tree tree, String path) {
        Es.post("/" + tree.name() + "/_refresh", "");
        return Es.post("/" + tree.name() + "/_count", "{\"query\":{\"prefix\":{\"path\":\"%s\"}}}".formatted(path))
                .path("count")
                .asLong();
    }

    private static Callable<Answers> reader(
            TreeReader trees, Tree tree, Question question, CountDownLatch begun, AtomicBoolean isOver) {
        return () -> {
            Answers answers = new Answers(new ArrayList<>(), new ArrayList<>());
            while (!isOver.get()) {
                try (TreeView view = trees.open(tree.name(), "/")) {
                    answers.add(question.ask(view));
                }
                if (answers.size() == 1) {
                    begun.countDown();
                }
            }
            return answers;
        };
    }

    /** Returns a reader that sends single searches, without a view. */
    private static Callable<Answers> readerOfSingleAnswers(
            TreeReader trees, Tree tree, CountDownLatch begun, AtomicBoolean isOver) {
        return () -> {
            Answers answers = new Answers(new ArrayList<>(), new ArrayList<>());
            while (!isOver.get()) {
                long other = trees.count(tree.name(), "/other", null) - 1;
                String answer = answer(other == 0 ? FILES + 2 : 0, other, other + " below /other");
                answers.add(answer);
                if (answers.size() == 1) {
                    begun.countDown();
                }
            }
            return answers;
        };
    }

    private static int changes(List<String> answers) {
        return (int) IntStream.range(1, answers.size())
                .filter(i -> !answers.get(i).equals(answers.get(i - 1)))
                .count();
    }

    private static String counted(TreeView view) {
        long before = view.count(new TreePath("/source"), Reach.AT_OR_BELOW, null);
        long after = view.count(new TreePath("/other/destination"), Reach.AT_OR_BELOW, null);
        return answer(before, after, before + " and " + after);
    }

    private static String answer(long before, long after, String both) {
        if (before == FILES + 2 && after == 0) {
            return "/source";
        }
        return before == 0 && after == FILES + 2 ? "/other/destination" : both;
    }

    private static String listed(TreeView view) {
        String top = names(view, ROOT);
        String other = names(view, new TreePath("/other"));
        if (top.equals("/other 0, /source " + (FILES + 1)) && other.isEmpty()) {
            return "/source";
        }
        boolean isMoved = top.equals("/other " + (FILES + 2)) && other.equals("/other/destination " + (FILES + 1));
        return isMoved ? "/other/destination" : top + " and " + other;
    }

    private static String names(TreeView view, TreePath path) {
        return view.list(path, null, 10).items().stream()
                .map((Child child) -> child.path() + " " + child.below())
                .collect(Collectors.joining(", "));
    }

    /** Searches for all files, page by page. */
    private static String found(TreeView view) {
        RawJson files = RawJson.of("{\"term\":{\"type\":\"file\"}}");
        List<String> paths = new ArrayList<>();
        @Nullable Position after = null;
        do {
            Page<TreeEntry> page = view.find(ROOT, Reach.BELOW, files, after, PAGE);
            page.items().forEach(entry -> paths.add(entry.path()));
            after = page.next();
        } while (after != null);
        long before = paths.stream().filter(path -> path.startsWith("/source/")).count();
        long moved = paths.stream()
                .filter(path -> path.startsWith("/other/destination/"))
                .count();
        boolean isWhole = paths.size() == FILES && paths.stream().distinct().count() == FILES;
        return isWhole
                ? answer(before == 0 ? 0 : before + 2, moved == 0 ? 0 : moved + 2, before + " and " + moved)
                : paths.size() + " files";
    }
}
