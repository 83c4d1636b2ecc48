package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MutatorTest {

    private static List<String> broken(String source) {
        List<String> lines = source.lines().toList();
        return Mutator.of("A.java", lines).stream()
                .map(mutation -> String.join("\n", mutation.in(lines)))
                .toList();
    }

    private static List<String> operators(String source) {
        return Mutator.of("A.java", source.lines().toList()).stream()
                .map(Mutation::operator)
                .toList();
    }

    @Test
    void a_condition_that_throws_is_removed_with_its_block_or_negated() {
        assertThat(broken("""
            before();
            if (isFenced()) {
                throw new FencedException(
                        processId);
            }
            after();
            """)).containsExactly("before();\nafter();", """
                before();
                if (!(isFenced())) {
                    throw new FencedException(
                            processId);
                }
                after();\
                """);
    }

    @Test
    void a_condition_that_does_not_throw_is_only_negated() {
        assertThat(operators("""
            if (isFenced()) {
                count++;
            }
            """)).containsExactly("condition negated");
    }

    @Test
    void an_operand_of_a_condition_is_dropped() {
        assertThat(broken("return isMine(a && b) && isLive() || isDone();"))
                .containsExactly(
                        "return isMine(a) && isLive() || isDone();",
                        "return isMine(a && b) || isDone();",
                        "return isMine(a && b) && isLive();");
    }

    @Test
    void dropping_an_operand_on_its_own_line_keeps_the_end_of_the_statement() {
        assertThat(broken("return isMine()\n        && isLive()\n        && isDone();"))
                .containsExactly("return isMine()\n        && isDone();", "return isMine()\n        && isLive();");
    }

    @Test
    void a_comparison_is_inverted_or_its_limit_is_moved() {
        assertThat(broken("return epoch < seen;")).containsExactly("return epoch >= seen;", "return epoch <= seen;");
        assertThat(broken("return epoch == seen;")).containsExactly("return epoch != seen;");
    }

    @Test
    void a_filter_and_a_check_are_dropped() {
        assertThat(broken("return holds.stream()\n        .filter(hold -> isMine(hold))\n        .toList();"))
                .containsExactly("return holds.stream()\n        .toList();");
        assertThat(broken("lease.requireCertain(now);\nwrite();")).containsExactly("write();");
    }

    @Test
    void both_lines_of_the_condition_of_a_write_are_dropped() {
        assertThat(broken("""
            start();
            json.writeNumberField("if_seq_no", version.seqNo());
            json.writeNumberField("if_primary_term", version.primaryTerm());
            end();
            """)).containsExactly("start();\nend();");
    }

    @Test
    void comments_strings_and_loops_are_not_mutated() {
        assertThat(operators("// if (a < b) {")).isEmpty();
        assertThat(operators("return \"a && b < c\";")).isEmpty();
        assertThat(operators("for (int i = 0; i < n; i++) {")).isEmpty();
    }

    @Test
    void a_mutation_is_applied_to_the_same_lines_of_another_version_of_the_file() {
        Mutation mutation = new Mutation("A.java", 2, "check removed", List.of("check();"), List.of());

        assertThat(mutation.in(List.of("check();", "a();", "b();", "check();")))
                .containsExactly("a();", "b();", "check();");
        assertThat(mutation.in(List.of("a();"))).isEmpty();
    }

    @Test
    void a_list_of_mutations_is_read_as_it_was_written() {
        List<Mutation> mutations = List.of(
                new Mutation("a/A.java", 2, "condition dropped: && isLive()", List.of("x", ""), List.of("  y")),
                new Mutation("a/A.java", 9, "guard removed", List.of("  if (z) {"), List.of()));

        String text = String.join("", mutations.stream().map(Mutation::text).toList());

        assertThat(Mutation.parse(("# comment\n" + text).lines().toList())).isEqualTo(mutations);
    }
}
