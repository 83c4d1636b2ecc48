package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.store.RefusedException;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeStore.Reach;

/** Tests that all queries that arrive during a search share the next search. */
class RefreshedSearchTest {

    private static final Namespace FILES = Namespace.ofFiles("files", GoodNode.INDEX);
    private static final Namespace PLAIN = new Namespace("plain", GoodNode.INDEX, "path", null, null, null);
    private static final GoodNode GOOD = new GoodNode(Map.of(), false);
    private static final String REFUSED = """
            {"responses":[{"status":400,"error":{"type":"too_many_clauses"}},{"status":400,"error":{}},{"status":400,"error":{}}]}""";

    private final List<StubNode.Request> asked = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch firstBegan = new CountDownLatch(1);
    private final CountDownLatch firstMayEnd = new CountDownLatch(1);
    private UnaryOperator<StubNode.Answer> changed = answer -> answer;

    /** The node refuses the searches of a request that contains this text. */
    private String refusedText = "nothing of the kind";

    /** The node answers a request that contains this text with a response that is too large. */
    private String largeText = "nothing of the kind";

    private final StubNode node = StubNode.answering(this::answer);
    private final Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(30)));
    private final RefreshedSearch search = new RefreshedSearch(elastic, System::nanoTime);

    @AfterEach
    void stop() {
        elastic.close();
        node.close();
    }

    private StubNode.Answer answer(StubNode.Request request) {
        asked.add(request);
        firstBegan.countDown();
        await(firstMayEnd);
        if (request.path().endsWith("_msearch") && request.body().contains(refusedText)) {
            return new StubNode.Answer(200, REFUSED);
        }
        if (request.path().endsWith("_msearch") && request.body().contains(largeText)) {
            boolean isOfOneRename = request.body().lines().count() == 6;
            int most = isOfOneRename ? HeapShare.LARGEST_ANSWER : RefreshedSearch.MOST_BYTES;
            return new StubNode.Answer(200, " ".repeat(most + 1));
        }
        return changed.apply(GOOD.apply(request));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Question around(Namespace namespace, String source, String destination) {
        return new Question.Around(
                new Rename("r1", namespace, new TreePath(source), new TreePath(destination), OnExisting.FAIL));
    }

    private static Question around(int number) {
        return around(FILES, "/a/" + number, "/b/" + number);
    }

    /** Sends a query in a separate thread, and returns when the thread waits for the end of the first search. */
    private CompletableFuture<RefreshedSearch.Seen> asking(Question question) {
        CompletableFuture<RefreshedSearch.Seen> answer = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                answer.complete(search.search(question));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return answer;
    }

    private List<CompletableFuture<RefreshedSearch.Seen>> askingBehindAnother(List<Question> questions) {
        return askingBehind(around(0), questions);
    }

    /** Sends the query {@code one}. Sends the other queries while the search of this query is in progress. */
    private List<CompletableFuture<RefreshedSearch.Seen>> askingBehind(Question one, List<Question> questions) {
        CompletableFuture<RefreshedSearch.Seen> first = asking(one);
        await(firstBegan);
        List<CompletableFuture<RefreshedSearch.Seen>> answers =
                questions.stream().map(this::asking).toList();
        firstMayEnd.countDown();
        first.join();
        return answers;
    }

    private static List<Question> renames(int count) {
        List<Question> questions = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            questions.add(around(i));
        }
        return questions;
    }

    private List<String> kinds() {
        return asked.stream()
                .map(request -> request.path().substring(request.path().lastIndexOf('/') + 1))
                .toList();
    }

    /** Returns the number of searches in each multi-search request. */
    private List<Long> searches() {
        return asked.stream()
                .filter(request -> request.path().endsWith("_msearch"))
                .map(request -> request.body().lines().count() / 2)
                .toList();
    }

    @Test
    void many_renames_share_one_refresh_one_comparison_of_copies_and_three_searches() {
        askingBehindAnother(renames(50)).forEach(CompletableFuture::join);

        assertThat(kinds())
                .containsExactly(
                        "_refresh",
                        "_search_shards",
                        "_search_shards",
                        "_msearch",
                        "_refresh",
                        "_search_shards",
                        "_search_shards",
                        "_msearch");
        assertThat(searches()).containsExactly(3L, 3L);
    }

    @Test
    void many_counts_share_one_search() {
        List<Question> counts = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            counts.add(new Question.Count(FILES, new TreePath("/a/" + i), Reach.AT_OR_BELOW));
        }

        askingBehindAnother(counts).forEach(CompletableFuture::join);

        assertThat(searches()).containsExactly(3L, 1L);
    }

    @Test
    void at_most_400_renames_share_a_search() {
        askingBehindAnother(renames(401)).forEach(CompletableFuture::join);

        List<String> bodies = asked.stream()
                .filter(request -> request.path().endsWith("_msearch"))
                .map(StubNode.Request::body)
                .toList();
        assertThat(bodies).hasSize(3);
        assertThat(bodies.get(1)).contains("\"/a/1\"", "\"/a/400\"").doesNotContain("\"/a/401\"");
        assertThat(bodies.get(2)).contains("\"/a/401\"").doesNotContain("\"/a/400\"");
    }

    @Test
    void refuses_only_the_rename_whose_search_is_refused() {
        refusedText = "\"/a/13\"";

        List<CompletableFuture<RefreshedSearch.Seen>> answers = askingBehindAnother(renames(50));

        for (int i = 1; i <= 50; i++) {
            CompletableFuture<RefreshedSearch.Seen> answer = answers.get(i - 1);
            if (i == 13) {
                assertThatThrownBy(answer::join)
                        .hasCauseInstanceOf(RefusedException.class)
                        .hasMessageContaining("too_many_clauses");
            } else {
                assertThat(answer.join().found()).isNotNull();
            }
        }
        assertThat(kinds()).filteredOn("_refresh"::equals).hasSize(2);
        assertThat(searches()).hasSizeLessThan(15);
    }

    @Test
    void refuses_only_the_rename_whose_documents_are_too_large() {
        largeText = "\"/a/13\"";

        List<CompletableFuture<RefreshedSearch.Seen>> answers = askingBehindAnother(renames(20));

        for (int i = 1; i <= 20; i++) {
            CompletableFuture<RefreshedSearch.Seen> answer = answers.get(i - 1);
            if (i == 13) {
                assertThatThrownBy(answer::join)
                        .hasCauseInstanceOf(RefusedException.class)
                        .hasMessageContaining("the documents at its source [d1] in files-1 are too large to be moved");
            } else {
                assertThat(answer.join().found()).isNotNull();
            }
        }
    }

    @Test
    void refuses_only_the_renames_with_a_document_that_has_several_paths() {
        changed = answer ->
                new StubNode.Answer(200, answer.json().replace("\"path\":\"/a/x\"", "\"path\":[\"/a/13\",\"/b\"]"));
        refusedText = "no such text";
        List<Question> questions = List.of(
                new Question.Count(FILES, new TreePath("/a/1"), Reach.AT), around(13), around(PLAIN, "/a/2", "/c"));

        List<CompletableFuture<RefreshedSearch.Seen>> answers =
                askingBehind(new Question.Count(FILES, new TreePath("/z"), Reach.AT), questions);

        assertThat(answers.getFirst().join().found()).isNotNull();
        answers.subList(1, 3)
                .forEach(answer -> assertThatThrownBy(answer::join)
                        .hasCauseInstanceOf(RefusedException.class)
                        .hasMessageContaining(
                                "expected one string as the path of document d1, found none or several values"));
    }

    @Test
    void namespaces_of_the_same_index_share_a_refresh_and_no_search() {
        askingBehindAnother(List.of(around(1), around(PLAIN, "/a/2", "/b/2"), around(3)))
                .forEach(CompletableFuture::join);

        assertThat(kinds()).filteredOn("_refresh"::equals).hasSize(2);
        assertThat(searches()).containsExactly(3L, 3L, 3L);
    }
}
