package org.treerename.janitor.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.rename.Audit.Finding;
import org.treerename.rename.Audit.Kind;
import org.treerename.runtime.ManualTime;
import org.treerename.store.NoAnswerException;

final class AuditJobTest {

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final List<Finding> stands = new ArrayList<>();
    private int audits;
    private boolean answers = true;
    private final AuditJob desk = new AuditJob(
            () -> {
                audits++;
                if (!answers) {
                    throw new NoAnswerException("not there", null);
                }
                return List.copyOf(stands);
            },
            time);

    @Test
    void nothingIsAuditedUntilSomebodyWantsIt() {
        desk.look();

        assertThat(audits).isZero();
        assertThat(desk.shown().path("at").isNull()).isTrue();
    }

    @Test
    void whatIsFoundIsShownWithItsTime() {
        stands.add(new Finding(Kind.ORPHAN, "words"));
        desk.want();
        assertThat(desk.shown().path("running").asBoolean()).isTrue();
        desk.look();

        assertThat(desk.shown().path("running").asBoolean()).isFalse();
        assertThat(desk.shown().path("at").asText()).isEqualTo("2026-03-01T10:00:00Z");
        assertThat(desk.shown().at("/findings/0/kind").asText()).isEqualTo("orphan");
        assertThat(desk.shown().at("/findings/0/leak").asBoolean()).isTrue();
        assertThat(desk.shown().at("/findings/0/text").asText()).isEqualTo("words");
    }

    @Test
    void howeverManyWantOneThereIsOneInAWhile() {
        for (int i = 0; i < 10; i++) {
            desk.want();
            desk.look();
            desk.look();
        }
        assertThat(audits).isEqualTo(1);

        time.advance(AuditJob.PAUSE);
        desk.want();
        desk.look();
        assertThat(audits).isEqualTo(2);
        time.advance(AuditJob.PAUSE.plus(Duration.ofSeconds(1)));
        desk.look();
        assertThat(audits).as("nobody wants another one").isEqualTo(2);
    }

    @Test
    void oneWithoutAnEndIsToldAndTheOneBeforeStays() {
        stands.add(new Finding(Kind.PARKED, "words"));
        desk.want();
        desk.look();
        answers = false;
        time.advance(AuditJob.PAUSE);
        desk.want();
        desk.look();

        assertThat(desk.shown().path("problem").asText()).isEqualTo("there was no answer");
        assertThat(desk.shown().path("at").asText()).isEqualTo("2026-03-01T10:00:00Z");
        assertThat(desk.shown().path("findings")).hasSize(1);
    }

    @Test
    void onlySoManyFindingsAreShown() {
        for (int i = 0; i < AuditJob.MOST + 1; i++) {
            stands.add(new Finding(Kind.HOLD, "words " + i));
        }
        desk.want();
        desk.look();

        assertThat(desk.shown().path("findings")).hasSize(AuditJob.MOST);
        assertThat(desk.shown().path("found").asInt()).isEqualTo(AuditJob.MOST + 1);
    }
}
