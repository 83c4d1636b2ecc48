package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.treerename.path.Namespace;
import org.treerename.path.Path;
import org.treerename.rename.Audit.Finding;
import org.treerename.rename.Audit.Kind;
import org.treerename.store.Death;

class TreeAuditTest {

    private final World world = new World().withTree();

    private List<Finding> look(Namespace namespace) {
        return look(namespace, 2);
    }

    private List<Finding> look(Namespace namespace, int page) {
        return new TreeAudit(new InMemoryTreeSurvey(world.tree, page), world.journal, List.of(namespace)).look();
    }

    private List<Finding> look() {
        return look(World.FILES);
    }

    @Test
    void in_a_tree_nothing_is_found() {
        assertThat(look()).isEmpty();
    }

    @Test
    void a_path_that_stands_twice_is_found() {
        world.file("again", "/a/1");

        assertThat(look()).containsExactly(new Finding(Kind.DOUBLED_PATH, "2 documents stand at /a/1 in files"));
    }

    @Test
    void a_document_without_a_directory_above_it_is_found() {
        world.file("lost", "/x/y");
        world.file("below a file", "/ab/z");

        assertThat(look())
                .containsExactly(
                        new Finding(Kind.ORPHAN, "there is no directory /ab above /ab/z in files"),
                        new Finding(Kind.ORPHAN, "there is no directory /x above /x/y in files"));
    }

    @Test
    void what_stands_at_no_path_is_told() {
        world.tree.put(World.INDEX, "odd", null, "{\"path\":\"/a//x\"}");
        world.tree.put(World.INDEX, "odder", null, "{\"path\":\"relative\"}");
        TreeAudit audit = new TreeAudit(new InMemoryTreeSurvey(world.tree, 100), world.journal, List.of(World.FILES));

        assertThat(audit.look()).extracting(Finding::kind).containsExactly(Kind.INVALID_PATH, Kind.INVALID_PATH);
        assertThat(audit.look().getFirst().text()).startsWith("1 in files: ").contains("/a//x");
    }

    @Test
    void documents_without_a_path_field_are_told_together() {
        world.tree.put(World.INDEX, "one", null, "{\"type\":\"file\"}");
        world.tree.put(World.INDEX, "two", null, "{\"path\":null}");
        TreeAudit audit = new TreeAudit(new InMemoryTreeSurvey(world.tree, 100), world.journal, List.of(World.FILES));

        assertThat(audit.look())
                .containsExactly(new Finding(
                        Kind.NO_PATH,
                        "2 documents in files lack a field that says where they stand, and no rename moves them; the first:"
                                + " one, two",
                        "files"));
    }

    @Test
    void of_a_tree_without_a_journal_everything_counts() {
        world.calls.interfere(Death.after("tree.move", 1));
        Death.of(() -> world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"))));
        world.file("double", "/b");

        assertThat(look()).isEmpty();
        assertThat(TreeAudit.ofUnused(new InMemoryTreeSurvey(world.tree, 2), List.of(World.FILES))
                        .look())
                .extracting(Finding::kind)
                .contains(Kind.DOUBLED_PATH);
    }

    @Test
    void where_directories_are_no_documents_nothing_is_without_one() {
        world.file("lost", "/x/y");

        assertThat(look(new Namespace("files", World.INDEX, "path", null, null, null)))
                .isEmpty();
    }

    @Test
    void what_lies_below_the_ends_of_an_open_rename_is_on_its_way() {
        world.calls.interfere(Death.after("tree.move", 1));
        Death.of(() -> world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"))));
        assertThat(world.paths()).containsEntry("a", "/b").containsEntry("a1", "/a/1");
        world.file("double", "/b");
        world.file("lost", "/bb/y");

        assertThat(look()).containsExactly(new Finding(Kind.ORPHAN, "there is no directory /bb above /bb/y in files"));
    }

    @Test
    void a_rename_that_only_waits_hides_nothing() {
        world.file("double", "/a");
        world.file("lost", "/b/x");
        world.heldByAnother("/a", "/b");

        assertThat(look())
                .containsExactlyInAnyOrder(
                        new Finding(Kind.DOUBLED_PATH, "2 documents stand at /a in files"),
                        new Finding(Kind.ORPHAN, "there is no directory /b above /b/x in files"));
    }

    @Test
    void what_is_on_its_way_takes_no_place_of_what_is_told() {
        world.calls.interfere(Death.after("journal.write MOVING", 1));
        Death.of(() -> world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"))));
        for (int i = 0; i <= TreeAudit.MOST_TOLD; i++) {
            world.file("moving" + i, "/a/gone/" + i);
        }
        world.file("lost", "/x/y");

        assertThat(look(World.FILES, 500))
                .containsExactly(new Finding(Kind.ORPHAN, "there is no directory /x above /x/y in files"));
    }

    @Test
    void what_a_rename_moves_that_begins_meanwhile_is_on_its_way() {
        world.file("child", "/a/gone/1");
        InMemoryTreeSurvey tree = new InMemoryTreeSurvey(world.tree, 100);
        TreeSurvey interrupted = new TreeSurvey() {
            @Override
            public List<At> paths(Namespace namespace, @Nullable String after) {
                if (after != null) {
                    world.calls.interfere(Death.after("journal.write MOVING", 1));
                    Death.of(() -> world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"))));
                }
                return tree.paths(namespace, after);
            }

            @Override
            public Map<String, Long> documents(Namespace namespace, Path path) {
                throw new AssertionError("an audit counts no documents below a path");
            }

            @Override
            public TreeStore.Scan pathFields(Namespace namespace) {
                return tree.pathFields(namespace);
            }

            @Override
            public Pathless pathless(Namespace namespace) {
                return new Pathless(0, List.of());
            }

            @Override
            public Set<String> directories(Namespace namespace, Set<String> paths) {
                return tree.directories(namespace, paths);
            }
        };

        assertThat(new TreeAudit(interrupted, world.journal, List.of(World.FILES)).look())
                .isEmpty();
    }

    @Test
    void the_rename_of_another_namespace_excuses_nothing() {
        world.namespaces.define(Namespace.ofFiles("other", "other-1"));
        world.calls.interfere(Death.after("journal.prepare", 1));
        Death.of(() -> world.renamer().run(Deliveries.of(Deliveries.rename("r1", "other", "/x", "/b"))));
        world.file("lost", "/x/y");

        assertThat(look()).extracting(Finding::kind).containsExactly(Kind.ORPHAN);
    }

    @Test
    void of_very_many_the_first_are_told() {
        for (int i = 0; i <= TreeAudit.MOST_TOLD + 5; i++) {
            world.file("lost" + i, "/x/" + i);
        }

        assertThat(look(World.FILES, 500))
                .hasSize(TreeAudit.MOST_TOLD + 1)
                .endsWith(new Finding(Kind.ORPHAN, "more than 1000 were found in files, and the rest is not told"));
    }

    @Test
    void a_tree_of_which_enough_is_told_is_not_read_on() {
        List<String> read = new ArrayList<>();
        TreeSurvey endless = new TreeSurvey() {
            @Override
            public List<At> paths(Namespace namespace, @Nullable String after) {
                read.add(String.valueOf(after));
                return read.size() > 2 * TreeAudit.MOST_TOLD ? List.of() : List.of(new At("/x/" + read.size(), 1));
            }

            @Override
            public Map<String, Long> documents(Namespace namespace, Path path) {
                throw new AssertionError("an audit counts no documents below a path");
            }

            @Override
            public TreeStore.Scan pathFields(Namespace namespace) {
                return new InMemoryTreeSurvey(world.tree, 1).pathFields(namespace);
            }

            @Override
            public Pathless pathless(Namespace namespace) {
                return new Pathless(0, List.of());
            }

            @Override
            public Set<String> directories(Namespace namespace, Set<String> paths) {
                return Set.of();
            }
        };

        new TreeAudit(endless, world.journal, List.of(World.FILES)).look();

        assertThat(read).hasSize(TreeAudit.MOST_TOLD + 1);
    }

    @Test
    void the_auditor_tells_what_stands_in_a_tree_at_both_readings() {
        Auditor auditor = new Auditor(world.stores(), world.processes, world.time, Duration.ofDays(1))
                .withTrees(new TreeAudit(new InMemoryTreeSurvey(world.tree, 2), world.journal, List.of(World.FILES)));
        world.file("lost", "/x/y");
        world.file("soon", "/z/y");
        world.time.plan(Auditor.SETTLING.dividedBy(2), () -> world.directory("z", "/z"));

        assertThat(auditor.audit())
                .containsExactly(new Finding(Kind.ORPHAN, "there is no directory /x above /x/y in files"));
    }
}
