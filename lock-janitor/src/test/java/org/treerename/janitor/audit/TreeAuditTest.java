package org.treerename.janitor.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.journal.Deliveries;
import org.treerename.journal.State;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.Death;
import org.treerename.tree.Document;
import org.treerename.tree.InMemoryTreeSurvey;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeSurvey;
import org.treerename.worker.World;

class TreeAuditTest {

    /** Passes all calls to a survey. Tests override single methods. */
    private static class DelegatingTreeSurvey implements TreeSurvey {
        private final TreeSurvey survey;

        DelegatingTreeSurvey(TreeSurvey survey) {
            this.survey = survey;
        }

        @Override
        public List<At> paths(Namespace namespace, @Nullable String after) {
            return survey.paths(namespace, after);
        }

        @Override
        public Set<String> directories(Namespace namespace, Set<String> paths) {
            return survey.directories(namespace, paths);
        }

        @Override
        public Pathless pathless(Namespace namespace) {
            return survey.pathless(namespace);
        }

        @Override
        public TreeStore.Scan pathFields(Namespace namespace) {
            return survey.pathFields(namespace);
        }

        @Override
        public Map<String, Long> documents(Namespace namespace, TreePath path) {
            throw new AssertionError("an audit counts no documents below a path");
        }
    }

    private final World world = new World().withTree();

    private List<Finding> look(Namespace namespace) {
        return look(namespace, 2);
    }

    private List<Finding> look(Namespace namespace, int page) {
        return new TreeAudit(new InMemoryTreeSurvey(world.tree, page), world.journal, List.of(namespace)).poll();
    }

    private List<Finding> poll() {
        return look(World.FILES);
    }

    @Test
    void finds_nothing_in_a_correct_tree() {
        assertThat(poll()).isEmpty();
    }

    @Test
    void reports_a_path_with_two_documents() {
        world.file("again", "/a/1");

        assertThat(poll()).containsExactly(new Finding(Kind.DOUBLED_PATH, "2 documents have the path /a/1 in files"));
    }

    @Test
    void reports_a_document_without_a_directory_above() {
        world.file("lost", "/x/y");
        world.file("below a file", "/ab/z");

        assertThat(poll())
                .containsExactly(
                        new Finding(Kind.ORPHAN, "there is no directory /ab above /ab/z in files"),
                        new Finding(Kind.ORPHAN, "there is no directory /x above /x/y in files"));
    }

    @Test
    void reports_documents_with_invalid_paths() {
        world.tree.put(World.INDEX, "odd", null, "{\"path\":\"/a//x\"}");
        world.tree.put(World.INDEX, "odder", null, "{\"path\":\"relative\"}");
        TreeAudit audit = new TreeAudit(new InMemoryTreeSurvey(world.tree, 100), world.journal, List.of(World.FILES));

        assertThat(audit.poll()).extracting(Finding::kind).containsExactly(Kind.INVALID_PATH, Kind.INVALID_PATH);
        assertThat(audit.poll().getFirst().text())
                .startsWith("1 document in files: ")
                .contains("/a//x");
    }

    @Test
    void reports_documents_without_a_path_field_in_one_finding() {
        world.tree.put(World.INDEX, "one", null, "{\"type\":\"file\"}");
        world.tree.put(World.INDEX, "two", null, "{\"path\":null}");
        TreeAudit audit = new TreeAudit(new InMemoryTreeSurvey(world.tree, 100), world.journal, List.of(World.FILES));

        assertThat(audit.poll())
                .containsExactly(new Finding(
                        Kind.NO_PATH,
                        "documents in files without a path field: 2. No rename moves these documents. The first ids:"
                                + " one, two",
                        "files"));
    }

    private void file(String id, String path, String parent) {
        world.tree.put(
                World.INDEX, id, null, "{\"path\":\"%s\",\"parent\":%s,\"type\":\"file\"}".formatted(path, parent));
    }

    private static Finding disagrees(String id, String path) {
        return new Finding(
                Kind.FIELDS_DISAGREE,
                "document " + id + " of " + World.INDEX + " in files does not agree with its path " + path
                        + " (fields: parent); the next rename of the document corrects these fields");
    }

    private static Finding unwritable(String id) {
        return new Finding(
                Kind.FIELDS_UNWRITABLE,
                "document " + id + " of " + World.INDEX
                        + " in files has fields that no rename can write: parent. A rename of the document is rejected"
                        + " until each field has one text of the JSON type that the namespace defines, and the name no"
                        + " separator");
    }

    @Test
    void reports_documents_whose_path_fields_do_not_agree_with_their_path() {
        file("stale", "/a/new", "\"/old\"");
        file("right", "/a/right", "\"/a\"");
        file("list", "/a/list", "[\"/a\",\"/q\"]");

        List<Finding> found = poll();

        assertThat(found).containsExactlyInAnyOrder(disagrees("stale", "/a/new"), unwritable("list"));
        assertThat(found).noneMatch(finding -> finding.kind().isLeak());
        assertThat(found).allMatch(finding -> finding.kind().isOfTrees());
    }

    @Test
    void reports_no_path_field_that_a_rename_has_corrected() {
        file("stale", "/a/new", "\"/old\"");
        assertThat(poll()).containsExactly(disagrees("stale", "/a/new"));

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")));

        assertThat(world.paths()).containsEntry("stale", "/b/new");
        assertThat(poll()).isEmpty();
    }

    @Test
    void reports_an_unwritable_path_field_before_it_parks_a_rename() {
        file("list", "/a/list", "[\"/a\",\"/q\"]");
        assertThat(poll()).containsExactly(unwritable("list"));

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")));

        assertThat(world.journal.in(Set.of(State.PARKED))).containsExactly("r1");
        assertThat(world.paths()).containsEntry("list", "/a/list");
    }

    @Test
    void reads_no_document_of_a_namespace_whose_one_path_field_is_the_path() {
        file("stale", "/a/new", "\"/old\"");

        assertThat(look(new Namespace("files", World.INDEX, "path", null, null, null)))
                .isEmpty();
        assertThat(look(new Namespace("files", World.INDEX, "path", "parent", null, null)))
                .containsExactly(disagrees("stale", "/a/new"));
    }

    @Test
    void reports_no_path_field_below_the_ends_of_an_open_rename() {
        file("stale", "/a/new", "\"/old\"");
        file("list", "/a/list", "[\"/a\",\"/q\"]");
        file("elsewhere", "/ab/new", "\"/old\"");
        world.directory("ab", "/ab");
        world.calls.interfere(Death.after("journal.write MOVING", 1));
        Death.of(() -> world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"))));
        file("there", "/b/new", "\"/old\"");

        assertThat(poll()).containsExactly(disagrees("elsewhere", "/ab/new"));
    }

    @Test
    void limits_the_findings_of_path_fields_like_those_of_paths_and_closes_the_scan() {
        for (int i = 0; i <= TreeAudit.MOST_REPORTED + 5; i++) {
            file("stale" + i, "/x/" + i, "\"/old\"");
        }
        List<String> closed = new ArrayList<>();
        InMemoryTreeSurvey tree = new InMemoryTreeSurvey(world.tree, 500);
        TreeSurvey survey = new DelegatingTreeSurvey(tree) {
            @Override
            public TreeStore.Scan pathFields(Namespace namespace) {
                TreeStore.Scan scan = tree.pathFields(namespace);
                return new TreeStore.Scan() {
                    @Override
                    public List<Document> nextPage() {
                        return scan.nextPage();
                    }

                    @Override
                    public void close() {
                        closed.add(namespace.name());
                    }
                };
            }
        };

        List<Finding> found = new TreeAudit(survey, world.journal, List.of(World.FILES)).poll();

        assertThat(found).filteredOn(finding -> finding.kind() == Kind.ORPHAN).hasSize(TreeAudit.MOST_REPORTED + 1);
        assertThat(found)
                .filteredOn(finding -> finding.kind() == Kind.FIELDS_DISAGREE)
                .hasSize(TreeAudit.MOST_REPORTED + 1)
                .endsWith(new Finding(
                        Kind.FIELDS_DISAGREE, "more than 1000 findings in files; the rest is not reported"));
        assertThat(closed).containsExactly("files");
    }

    @Test
    void reports_every_finding_in_a_tree_without_a_journal() {
        world.calls.interfere(Death.after("tree.move", 1));
        Death.of(() -> world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"))));
        world.file("double", "/b");

        assertThat(poll()).isEmpty();
        assertThat(TreeAudit.ofUnused(new InMemoryTreeSurvey(world.tree, 2), List.of(World.FILES))
                        .poll())
                .extracting(Finding::kind)
                .contains(Kind.DOUBLED_PATH);
    }

    @Test
    void reports_no_missing_directory_if_directories_are_not_documents() {
        world.file("lost", "/x/y");

        assertThat(look(new Namespace("files", World.INDEX, "path", null, null, null)))
                .isEmpty();
    }

    @Test
    void reports_no_path_below_source_or_destination_of_a_decided_rename() {
        world.calls.interfere(Death.after("tree.move", 1));
        Death.of(() -> world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"))));
        assertThat(world.paths()).containsEntry("a", "/b").containsEntry("a1", "/a/1");
        world.file("double", "/b");
        world.file("lost", "/bb/y");

        assertThat(poll()).containsExactly(new Finding(Kind.ORPHAN, "there is no directory /bb above /bb/y in files"));
    }

    @Test
    void reports_paths_below_source_and_destination_of_a_waiting_rename() {
        world.file("double", "/a");
        world.file("lost", "/b/x");
        world.heldByAnother("/a", "/b");

        assertThat(poll())
                .containsExactlyInAnyOrder(
                        new Finding(Kind.DOUBLED_PATH, "2 documents have the path /a in files"),
                        new Finding(Kind.ORPHAN, "there is no directory /b above /b/x in files"));
    }

    @Test
    void paths_of_a_decided_rename_do_not_count_towards_the_limit_of_findings() {
        world.calls.interfere(Death.after("journal.write MOVING", 1));
        Death.of(() -> world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"))));
        for (int i = 0; i <= TreeAudit.MOST_REPORTED; i++) {
            world.file("moving" + i, "/a/gone/" + i);
        }
        world.file("lost", "/x/y");

        assertThat(look(World.FILES, 500))
                .containsExactly(new Finding(Kind.ORPHAN, "there is no directory /x above /x/y in files"));
    }

    @Test
    void reports_no_path_of_a_rename_that_begins_during_the_audit() {
        world.file("child", "/a/gone/1");
        TreeSurvey interrupted = new DelegatingTreeSurvey(new InMemoryTreeSurvey(world.tree, 100)) {
            @Override
            public List<At> paths(Namespace namespace, @Nullable String after) {
                if (after != null) {
                    world.calls.interfere(Death.after("journal.write MOVING", 1));
                    Death.of(() -> world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"))));
                }
                return super.paths(namespace, after);
            }
        };

        assertThat(new TreeAudit(interrupted, world.journal, List.of(World.FILES)).poll())
                .isEmpty();
    }

    @Test
    void a_rename_of_another_namespace_hides_no_finding() {
        world.namespaces.define(Namespace.ofFiles("other", "other-1"));
        world.calls.interfere(Death.after("journal.prepare", 1));
        Death.of(() -> world.renamer().run(Deliveries.of(Deliveries.rename("r1", "other", "/x", "/b"))));
        world.file("lost", "/x/y");

        assertThat(poll()).extracting(Finding::kind).containsExactly(Kind.ORPHAN);
    }

    @Test
    void limits_the_number_of_findings() {
        for (int i = 0; i <= TreeAudit.MOST_REPORTED + 5; i++) {
            world.file("lost" + i, "/x/" + i);
        }

        assertThat(look(World.FILES, 500))
                .hasSize(TreeAudit.MOST_REPORTED + 1)
                .endsWith(new Finding(Kind.ORPHAN, "more than 1000 findings in files; the rest is not reported"));
    }

    @Test
    void stops_reading_a_tree_at_the_limit_of_findings() {
        List<String> read = new ArrayList<>();
        TreeSurvey endless = new DelegatingTreeSurvey(new InMemoryTreeSurvey(world.tree, 100)) {
            @Override
            public List<At> paths(Namespace namespace, @Nullable String after) {
                read.add(String.valueOf(after));
                return read.size() > 2 * TreeAudit.MOST_REPORTED ? List.of() : List.of(new At("/x/" + read.size(), 1));
            }
        };

        new TreeAudit(endless, world.journal, List.of(World.FILES)).poll();

        assertThat(read).hasSize(TreeAudit.MOST_REPORTED + 1);
    }

    @Test
    void the_auditor_returns_only_findings_of_both_reads_of_a_tree() {
        Auditor auditor = new Auditor(world.stores(), world.processes, world.time, Duration.ofDays(1))
                .withTrees(new TreeAudit(new InMemoryTreeSurvey(world.tree, 2), world.journal, List.of(World.FILES)));
        world.file("lost", "/x/y");
        world.file("soon", "/z/y");
        world.time.plan(Auditor.SETTLING.dividedBy(2), () -> world.directory("z", "/z"));

        assertThat(auditor.audit())
                .containsExactly(new Finding(Kind.ORPHAN, "there is no directory /x above /x/y in files"));
    }
}
