package org.treerename.janitor.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.runtime.ManualTime;
import org.treerename.store.NoAnswerException;

final class AuditJobTest {

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final List<Finding> findings = new ArrayList<>();
    private int audits;
    private boolean answers = true;
    private final AuditJob job = new AuditJob(
            () -> {
                audits++;
                if (!answers) {
                    throw new NoAnswerException("not there", null);
                }
                return List.copyOf(findings);
            },
            time);

    @Test
    void runs_no_audit_without_a_request() {
        job.poll();

        assertThat(audits).isZero();
        assertThat(job.shown().path("at").isNull()).isTrue();
    }

    @Test
    void shows_the_findings_with_the_time_of_the_audit() {
        findings.add(new Finding(Kind.ORPHAN, "words"));
        job.want();
        assertThat(job.shown().path("running").asBoolean()).isTrue();
        job.poll();

        assertThat(job.shown().path("running").asBoolean()).isFalse();
        assertThat(job.shown().path("at").asText()).isEqualTo("2026-03-01T10:00:00Z");
        assertThat(job.shown().at("/findings/0/kind").asText()).isEqualTo("orphan");
        assertThat(job.shown().at("/findings/0/leak").asBoolean()).isTrue();
        assertThat(job.shown().at("/findings/0/text").asText()).isEqualTo("words");
    }

    @Test
    void runs_one_audit_for_all_requests_until_the_pause_is_over() {
        for (int i = 0; i < 10; i++) {
            job.want();
            job.poll();
            job.poll();
        }
        assertThat(audits).isEqualTo(1);

        time.advance(AuditJob.PAUSE);
        job.want();
        job.poll();
        assertThat(audits).isEqualTo(2);
        time.advance(AuditJob.PAUSE.plus(Duration.ofSeconds(1)));
        job.poll();
        assertThat(audits).as("no other audit was requested").isEqualTo(2);
    }

    @Test
    void shows_the_problem_of_a_failed_audit_and_keeps_the_last_findings() {
        findings.add(new Finding(Kind.PARKED, "words"));
        job.want();
        job.poll();
        answers = false;
        time.advance(AuditJob.PAUSE);
        job.want();
        job.poll();

        assertThat(job.shown().path("problem").asText())
                .isEqualTo("no answer from Elasticsearch, or a refused request");
        assertThat(job.shown().path("at").asText()).isEqualTo("2026-03-01T10:00:00Z");
        assertThat(job.shown().path("findings")).hasSize(1);
    }

    @Test
    void shows_a_limited_number_of_findings() {
        for (int i = 0; i < AuditJob.MOST + 1; i++) {
            findings.add(new Finding(Kind.HOLD, "words " + i));
        }
        job.want();
        job.poll();

        assertThat(job.shown().path("findings")).hasSize(AuditJob.MOST);
        assertThat(job.shown().path("found").asInt()).isEqualTo(AuditJob.MOST + 1);
    }
}
