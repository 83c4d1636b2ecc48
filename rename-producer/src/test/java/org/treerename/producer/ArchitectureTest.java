package org.treerename.producer;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.treerename.runtime.DurationConverter;
import org.treerename.runtime.Settings;
import org.treerename.trace.CurrentTrace;
import org.treerename.trace.Spans;
import picocli.CommandLine.Command;

class ArchitectureTest {

    private static final String CLI = "org.treerename.producer.cli..";
    private static final String HTTP = "org.treerename.producer.http..";

    private static final ArchRule LIBRARY_IS_FREE_OF_THE_PROGRAMS = noClasses()
            .that()
            .resideOutsideOfPackages(CLI, HTTP)
            .should()
            .dependOnClassesThat(resideInAPackage("picocli..")
                    .or(resideInAPackage("ch.qos.logback.."))
                    .or(resideInAPackage(CLI))
                    .or(resideInAPackage(HTTP))
                    .or(resideInAPackage("io.helidon.."))
                    // these two need picocli
                    .or(belongToAnyOf(Settings.class, DurationConverter.class)));

    /** The reader of trees alone needs Elasticsearch's client, which users of the rest of the library need not have. */
    private static final ArchRule LIBRARY_NEEDS_LITTLE = noClasses()
            .that()
            .resideOutsideOfPackages(CLI, HTTP)
            .and()
            .doNotBelongToAnyOf(TreeReader.class)
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(
                    "java..",
                    "org.treerename.producer",
                    "org.treerename.rename",
                    "org.treerename.lock",
                    "org.treerename.path",
                    "org.treerename.wire",
                    "org.treerename.runtime",
                    "org.treerename.trace",
                    "org.apache.kafka..",
                    "org.slf4j..",
                    "org.jspecify..");

    /** That class alone of its room copes without OpenTelemetry, which users of the library need not have. */
    private static final ArchRule LIBRARY_NEEDS_NO_TRACING = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("io.opentelemetry..")
                    .or(resideInAPackage("org.treerename.trace").and(not(belongToAnyOf(CurrentTrace.class)))));

    private static final ArchRule NOBODY_READS_A_CLOCK = noClasses()
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class);

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.treerename.producer");

    @Test
    void theLibraryKnowsNeitherTheCommandLineNorTheGatewayNorWhereLogsGo() {
        LIBRARY_IS_FREE_OF_THE_PROGRAMS.check(CLASSES);
    }

    @Test
    void theLibraryNeedsLittle() {
        LIBRARY_NEEDS_LITTLE.check(CLASSES);
    }

    @Test
    void theLibraryNeedsNoTracing() {
        LIBRARY_NEEDS_NO_TRACING.check(CLASSES);
    }

    @Test
    void nobodyReadsAClock() {
        NOBODY_READS_A_CLOCK.check(CLASSES);
    }

    @Test
    void theRulesCatchWhoBreaksThem() {
        JavaClasses offender = new ClassFileImporter().importClasses(Offender.class);

        assertThatThrownBy(() -> LIBRARY_IS_FREE_OF_THE_PROGRAMS.check(offender))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> LIBRARY_NEEDS_LITTLE.check(offender)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> LIBRARY_NEEDS_NO_TRACING.check(offender)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> NOBODY_READS_A_CLOCK.check(offender)).isInstanceOf(AssertionError.class);
    }

    @Test
    void noLoggingIsConfiguredForUsersOfTheLibrary() {
        assertThat(RenameProducer.class.getResource("/logback.xml")).isNull();
        assertThat(RenameProducer.class.getResource("/simplelogger.properties")).isNull();
    }

    @Command
    static final class Offender {

        private Offender() {}

        static Instant now() {
            Spans.none();
            return Instant.now();
        }
    }
}
