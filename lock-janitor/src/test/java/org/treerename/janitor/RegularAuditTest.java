package org.treerename.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.treerename.metrics.Meters;
import org.treerename.rename.Audit.Finding;
import org.treerename.rename.Audit.Kind;
import org.treerename.runtime.ManualTime;
import org.treerename.store.NoAnswerException;

class RegularAuditTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final Meters meters = new Meters();

    /** What the next audits find. */
    private final Deque<Supplier<List<Finding>>> audits = new ArrayDeque<>();

    private final RegularAudit audit = audit(HOUR);

    private RegularAudit audit(Duration every) {
        return RegularAudit.of(() -> audits.remove().get(), every, time, meters);
    }

    private void finds(Kind... kinds) {
        audits.add(() -> List.of(kinds).stream()
                .map(kind -> new Finding(kind, "something"))
                .toList());
    }

    private void looks(Duration after) {
        time.advance(after);
        audit.look();
    }

    private List<String> shown() {
        return meters.shown()
                .lines()
                .filter(line -> line.startsWith("tree_rename_audit_findings{"))
                .toList();
    }

    @Test
    void the_first_comes_after_a_minute_the_next_after_the_whole_time() {
        finds();
        looks(Duration.ofSeconds(59));
        assertThat(shown()).isEmpty();

        looks(Duration.ofSeconds(1));
        assertThat(shown())
                .containsExactlyInAnyOrder(
                        "tree_rename_audit_findings{kind=\"hold\"} 0.0",
                        "tree_rename_audit_findings{kind=\"claim\"} 0.0",
                        "tree_rename_audit_findings{kind=\"lock\"} 0.0",
                        "tree_rename_audit_findings{kind=\"lock_document\"} 0.0",
                        "tree_rename_audit_findings{kind=\"entry\"} 0.0",
                        "tree_rename_audit_findings{kind=\"process\"} 0.0",
                        "tree_rename_audit_findings{kind=\"parked\"} 0.0");

        finds();
        looks(HOUR.minusMillis(1));
        assertThat(audits).hasSize(1);
        looks(Duration.ofMillis(1));
        assertThat(audits).isEmpty();
    }

    @Test
    void what_is_found_is_looked_for_again_soon_until_it_is_gone() {
        finds(Kind.HOLD, Kind.HOLD, Kind.PARKED);
        looks(RegularAudit.SOON);
        assertThat(shown())
                .contains(
                        "tree_rename_audit_findings{kind=\"hold\"} 2.0",
                        "tree_rename_audit_findings{kind=\"parked\"} 1.0",
                        "tree_rename_audit_findings{kind=\"entry\"} 0.0");

        finds();
        looks(RegularAudit.SOON);
        assertThat(shown()).contains("tree_rename_audit_findings{kind=\"hold\"} 0.0");
    }

    @Test
    void an_audit_without_an_answer_leaves_what_the_last_one_found() {
        finds(Kind.CLAIM);
        looks(RegularAudit.SOON);
        audits.add(() -> {
            throw new NoAnswerException("gone", null);
        });
        looks(RegularAudit.SOON);
        assertThat(shown()).contains("tree_rename_audit_findings{kind=\"claim\"} 1.0");

        finds();
        looks(RegularAudit.SOON);
        assertThat(shown()).contains("tree_rename_audit_findings{kind=\"claim\"} 0.0");
    }

    @Test
    void with_zero_there_is_none() {
        RegularAudit never = audit(Duration.ZERO);
        time.advance(Duration.ofDays(1));

        never.look();

        assertThat(shown()).isEmpty();
    }
}
