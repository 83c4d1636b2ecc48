package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.rename.CommitCheck.Go;
import org.treerename.rename.CommitCheck.No;
import org.treerename.request.OnExisting;
import org.treerename.request.Reason;
import org.treerename.store.Version;
import org.treerename.tree.Document;
import org.treerename.tree.PathFields;
import org.treerename.tree.RawJson;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeSnapshot.Existing;
import org.treerename.tree.TreeSnapshot.Longest;

class CommitCheckTest {

    private static final Namespace PLAIN = new Namespace("plain", "index", "path", null, null, null);

    private final List<Existing> existing = new ArrayList<>();
    private Namespace namespace = World.FILES;
    private OnExisting onExisting = OnExisting.FAIL;
    private long below;
    private boolean destinationIsFilled;
    private Longest longest = new Longest(0, 0);

    private Document.Ref file(String path) {
        Document.Ref ref = new Document.Ref("index", path, null, new Version(1, 1));
        existing.add(new Existing(ref, new TreePath(path), false));
        return ref;
    }

    private Document.Ref directory(String path) {
        Document.Ref ref = new Document.Ref("index", path, null, new Version(1, 1));
        existing.add(new Existing(ref, new TreePath(path), true));
        return ref;
    }

    private CommitCheck verdict(String source, String destination) {
        return CommitCheck.of(
                new Rename("r1", namespace, new TreePath(source), new TreePath(destination), onExisting),
                new TreeSnapshot(existing, List.of(), below, destinationIsFilled, longest));
    }

    private Reason reason(String source, String destination) {
        return ((No) verdict(source, destination)).reason();
    }

    @Test
    void accepts_an_existing_source_and_a_free_destination() {
        file("/a");

        assertThat(verdict("/a", "/b")).isEqualTo(new Go(List.of()));
    }

    @Test
    void accepts_a_directory_without_a_document() {
        namespace = PLAIN;
        below = 1;

        assertThat(verdict("/a", "/b/c")).isEqualTo(new Go(List.of()));
    }

    @Test
    void rejects_a_rename_that_makes_a_path_below_too_long_or_too_deep() {
        directory("/a");
        below = 1;
        longest = new Longest(TreePath.MAX_CODE_POINTS - 3, TreePath.MAX_SEGMENTS - 1);
        directory("/long");
        directory("/b");

        assertThat(verdict("/a", "/long")).isInstanceOf(No.class);
        assertThat(((No) verdict("/a", "/12345"))).returns(Reason.INVALID_PATH, No::reason);
        assertThat(reason("/a", "/b/a/b")).isEqualTo(Reason.INVALID_PATH);
        assertThat(verdict("/a", "/1234")).isEqualTo(new Go(List.of()));
        assertThat(verdict("/a", "/b/a")).isEqualTo(new Go(List.of()));
    }

    @Test
    void rejects_a_destination_below_the_source() {
        directory("/a");

        assertThat(verdict("/a", "/a/b")).isEqualTo(new No(Reason.INTO_ITSELF, "/a/b lies below /a"));
        assertThat(verdict("/a", "/ab")).isEqualTo(new Go(List.of()));
    }

    @Test
    void rejects_a_source_that_does_not_exist() {
        assertThat(verdict("/a", "/b")).isEqualTo(new No(Reason.SOURCE_NOT_FOUND, "no document is at or below /a"));
    }

    @Test
    void rejects_a_destination_below_a_file() {
        file("/a");
        directory("/b");
        file("/b/c");

        assertThat(verdict("/a", "/b/c/d/e"))
                .isEqualTo(new No(Reason.ANCESTOR_IS_A_FILE, "/b/c is a file, so no document can be below it"));
    }

    @Test
    void without_directory_documents_a_document_may_move_below_any_document() {
        namespace = PLAIN;
        file("/a");
        file("/b");

        assertThat(verdict("/a", "/b/c")).isEqualTo(new Go(List.of()));
    }

    @Test
    void requires_the_parent_of_the_destination_if_directories_are_documents() {
        file("/a");
        directory("/b");

        assertThat(verdict("/a", "/b/c/d"))
                .isEqualTo(new No(Reason.DESTINATION_PARENT_NOT_FOUND, "there is no directory /b/c"));
        assertThat(verdict("/a", "/b/c")).isEqualTo(new Go(List.of()));
        namespace = PLAIN;
        existing.removeIf(Existing::directory);
        assertThat(verdict("/a", "/x/y/z")).isEqualTo(new Go(List.of()));
    }

    @Test
    void rejects_a_destination_that_exists_or_has_documents_below() {
        file("/a");
        file("/b");

        assertThat(verdict("/a", "/b")).isEqualTo(new No(Reason.DESTINATION_EXISTS, "/b exists"));
        destinationIsFilled = true;
        assertThat(reason("/a", "/c")).isEqualTo(Reason.DESTINATION_EXISTS);
        assertThat(reason("/a", "/")).isEqualTo(Reason.DESTINATION_EXISTS);
    }

    @Test
    void does_not_replace_the_root() {
        file("/a");
        onExisting = OnExisting.REPLACE;

        assertThat(reason("/a", "/")).isEqualTo(Reason.DESTINATION_EXISTS);
    }

    @Test
    void a_file_replaces_a_file_and_every_document_at_its_path() {
        file("/a");
        Document.Ref one = file("/b");
        Document.Ref other = file("/b");
        onExisting = OnExisting.REPLACE;

        assertThat(verdict("/a", "/b")).isEqualTo(new Go(List.of(one, other)));
    }

    @Test
    void a_directory_replaces_an_empty_directory() {
        directory("/a");
        below = 7;
        Document.Ref replaced = directory("/b");
        onExisting = OnExisting.REPLACE;

        assertThat(verdict("/a", "/b")).isEqualTo(new Go(List.of(replaced)));
    }

    @Test
    void a_file_and_a_directory_do_not_replace_each_other() {
        file("/f");
        directory("/d");
        onExisting = OnExisting.REPLACE;

        assertThat(verdict("/f", "/d")).isEqualTo(new No(Reason.IS_A_DIRECTORY, "/d is a directory, and /f is a file"));
        assertThat(verdict("/d", "/f"))
                .isEqualTo(new No(Reason.NOT_A_DIRECTORY, "/f is a file, and /d is a directory"));
    }

    @Test
    void a_filled_directory_is_not_replaced() {
        directory("/a");
        directory("/b");
        destinationIsFilled = true;
        onExisting = OnExisting.REPLACE;

        assertThat(verdict("/a", "/b")).isEqualTo(new No(Reason.DESTINATION_NOT_EMPTY, "/b is not empty"));
    }

    @Test
    void without_directory_documents_a_path_with_documents_below_is_a_directory() {
        namespace = PLAIN;
        onExisting = OnExisting.REPLACE;
        file("/a");
        file("/b");

        assertThat(verdict("/a", "/b")).isInstanceOf(Go.class);
        destinationIsFilled = true;
        assertThat(reason("/a", "/b")).isEqualTo(Reason.IS_A_DIRECTORY);
        below = 1;
        assertThat(reason("/a", "/b")).isEqualTo(Reason.DESTINATION_NOT_EMPTY);
        destinationIsFilled = false;
        assertThat(reason("/a", "/b")).isEqualTo(Reason.NOT_A_DIRECTORY);
    }

    @Test
    void accepts_a_rename_to_its_own_source_and_removes_nothing() {
        file("/b/a");
        onExisting = OnExisting.REPLACE;

        assertThat(verdict("/b/a", "/b/a")).isEqualTo(new Go(List.of()));
    }

    @Test
    void rejects_a_rename_to_its_own_source_if_the_source_does_not_exist() {
        assertThat(reason("/a", "/a")).isEqualTo(Reason.SOURCE_NOT_FOUND);
    }

    @Test
    void returns_the_first_reason_in_their_order() {
        longest = new Longest(TreePath.MAX_CODE_POINTS, 1);
        assertThat(reason("/a", "/long")).isEqualTo(Reason.INVALID_PATH);
        assertThat(reason("/a", "/a/b/c")).isEqualTo(Reason.INVALID_PATH);
        longest = new Longest(0, 0);
        assertThat(reason("/a", "/a/b/c")).isEqualTo(Reason.INTO_ITSELF);
        file("/f");
        assertThat(reason("/a", "/f/x")).isEqualTo(Reason.SOURCE_NOT_FOUND);
        file("/a");
        assertThat(reason("/a", "/f/x/y")).isEqualTo(Reason.ANCESTOR_IS_A_FILE);
        file("/p/q");
        assertThat(reason("/a", "/p/q")).isEqualTo(Reason.DESTINATION_PARENT_NOT_FOUND);
        directory("/d");
        destinationIsFilled = true;
        assertThat(reason("/a", "/d")).isEqualTo(Reason.DESTINATION_EXISTS);
        onExisting = OnExisting.REPLACE;
        assertThat(reason("/a", "/d")).isEqualTo(Reason.IS_A_DIRECTORY);
        assertThat(reason("/d", "/f")).isEqualTo(Reason.NOT_A_DIRECTORY);
    }

    private static Document document(String id, String source) {
        return new Document(new Document.Ref("index", id, null, new Version(1, 1)), "/a", RawJson.of(source));
    }

    @Test
    void rejects_a_rename_of_documents_that_cannot_be_moved_and_names_the_first_ids() {
        Rename rename = new Rename("r1", PLAIN, new TreePath("/a"), new TreePath("/b"), onExisting);
        TreeSnapshot snapshot = new TreeSnapshot(
                        List.of(new Existing(document("own", "{}").ref(), new TreePath("/a"), false)),
                        List.of(document("own", "{\"path\":[\"/a\",\"/q\"]}")),
                        12,
                        false,
                        longest)
                .withImmovable(List.of("below: several"));

        assertThat(CommitCheck.of(rename, snapshot))
                .isEqualTo(new No(
                        Reason.NOT_MOVABLE,
                        "documents at or below /a cannot be moved: below: several; own: " + PathFields.NOT_ONE_PATH
                                + "; correct these documents, or the fields in the definition of the namespace"));
        assertThat(CommitCheck.ofDocuments(rename, List.of(document("1", "{\"path\":[\"/a\"]}"))))
                .isEmpty();
        assertThat(CommitCheck.ofDocuments(rename, List.of(document("1", "{\"path\":null}"))))
                .isPresent();
    }

    private List<Reason> reasons(String source, String destination) {
        return CommitCheck.refusals(
                        new Rename("r1", namespace, new TreePath(source), new TreePath(destination), onExisting),
                        new TreeSnapshot(existing, List.of(), below, destinationIsFilled, longest))
                .stream()
                .map(No::reason)
                .toList();
    }

    @Test
    void returns_all_reasons_in_their_order() {
        onExisting = OnExisting.REPLACE;
        file("/f");
        directory("/f/d");
        directory("/full");
        destinationIsFilled = true;

        assertThat(reasons("/missing", "/missing/f"))
                .containsExactly(
                        Reason.INTO_ITSELF,
                        Reason.SOURCE_NOT_FOUND,
                        Reason.DESTINATION_PARENT_NOT_FOUND,
                        Reason.DESTINATION_NOT_EMPTY);
        assertThat(reasons("/f", "/full")).containsExactly(Reason.IS_A_DIRECTORY, Reason.DESTINATION_NOT_EMPTY);
        assertThat(reasons("/missing", "/full"))
                .as("a missing source is not a file")
                .containsExactly(Reason.SOURCE_NOT_FOUND, Reason.DESTINATION_NOT_EMPTY);
        assertThat(reasons("/full", "/f/d"))
                .containsExactly(
                        Reason.ANCESTOR_IS_A_FILE, Reason.DESTINATION_PARENT_NOT_FOUND, Reason.DESTINATION_NOT_EMPTY);
        assertThat(reasons("/f", "/f")).isEmpty();
    }
}
