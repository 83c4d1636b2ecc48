package org.treerename.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.treerename.installation.Installation;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.observe.Meters;
import org.treerename.runtime.ManualTime;
import org.treerename.store.NoAnswerException;

class RegularAuditTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final Meters meters = new Meters(Installation.DEFAULT);

    /** The findings of the next audits, one element for each audit. */
    private final Deque<Supplier<List<Finding>>> audits = new ArrayDeque<>();

    private final RegularAudit audit = audit(HOUR);

    private RegularAudit audit(Duration every) {
        return RegularAudit.of(() -> audits.remove().get(), every, time, meters);
    }

    private void addFindings(Kind... kinds) {
        audits.add(() -> List.of(kinds).stream()
                .map(kind -> new Finding(kind, "something"))
                .toList());
    }

    private void lookAfter(Duration after) {
        time.advance(after);
        audit.poll();
    }

    private List<String> shown() {
        return meters.shown()
                .lines()
                .filter(line -> line.startsWith("tree_rename_audit_findings{"))
                .toList();
    }

    @Test
    void runs_the_first_audit_after_a_minute_and_the_next_after_the_interval() {
        addFindings();
        lookAfter(Duration.ofSeconds(59));
        assertThat(shown()).isEmpty();

        lookAfter(Duration.ofSeconds(1));
        assertThat(shown())
                .containsExactlyInAnyOrder(
                        "tree_rename_audit_findings{kind=\"hold\"} 0.0",
                        "tree_rename_audit_findings{kind=\"claim\"} 0.0",
                        "tree_rename_audit_findings{kind=\"lock\"} 0.0",
                        "tree_rename_audit_findings{kind=\"lock_document\"} 0.0",
                        "tree_rename_audit_findings{kind=\"entry\"} 0.0",
                        "tree_rename_audit_findings{kind=\"process\"} 0.0",
                        "tree_rename_audit_findings{kind=\"parked\"} 0.0");

        addFindings();
        lookAfter(HOUR.minusMillis(1));
        assertThat(audits).hasSize(1);
        lookAfter(Duration.ofMillis(1));
        assertThat(audits).isEmpty();
    }

    @Test
    void repeats_an_audit_with_findings_soon_until_they_are_gone() {
        addFindings(Kind.HOLD, Kind.HOLD, Kind.PARKED);
        lookAfter(RegularAudit.SOON);
        assertThat(shown())
                .contains(
                        "tree_rename_audit_findings{kind=\"hold\"} 2.0",
                        "tree_rename_audit_findings{kind=\"parked\"} 1.0",
                        "tree_rename_audit_findings{kind=\"entry\"} 0.0");

        addFindings();
        lookAfter(RegularAudit.SOON);
        assertThat(shown()).contains("tree_rename_audit_findings{kind=\"hold\"} 0.0");
    }

    @Test
    void keeps_the_last_findings_if_an_audit_gets_no_answer() {
        addFindings(Kind.CLAIM);
        lookAfter(RegularAudit.SOON);
        audits.add(() -> {
            throw new NoAnswerException("gone", null);
        });
        lookAfter(RegularAudit.SOON);
        assertThat(shown()).contains("tree_rename_audit_findings{kind=\"claim\"} 1.0");

        addFindings();
        lookAfter(RegularAudit.SOON);
        assertThat(shown()).contains("tree_rename_audit_findings{kind=\"claim\"} 0.0");
    }

    @Test
    void runs_no_audit_if_the_interval_is_zero() {
        RegularAudit never = audit(Duration.ZERO);
        time.advance(Duration.ofDays(1));

        never.poll();

        assertThat(shown()).isEmpty();
    }
}
