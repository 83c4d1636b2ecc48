package org.treerename.producer.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.treerename.observe.Spans;
import org.treerename.producer.ArchitectureRules;

class ArchitectureTest {

    private static final JavaClasses CLASSES = ArchitectureRules.classesOf("org.treerename.producer.cli");

    @Test
    void no_class_needs_tracing() {
        ArchitectureRules.NO_CLASS_NEEDS_TRACING.check(CLASSES);
    }

    @Test
    void no_class_reads_the_system_clock() {
        ArchitectureRules.NO_CLASS_READS_THE_CLOCK.check(CLASSES);
    }

    @Test
    void each_rule_finds_a_class_that_breaks_it() {
        JavaClasses offender = new ClassFileImporter().importClasses(Offender.class);

        assertThatThrownBy(() -> ArchitectureRules.NO_CLASS_NEEDS_TRACING.check(offender))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> ArchitectureRules.NO_CLASS_READS_THE_CLOCK.check(offender))
                .isInstanceOf(AssertionError.class);
    }

    static final class Offender {

        private Offender() {}

        static Instant now() {
            Spans.none();
            return Instant.now();
        }
    }
}
