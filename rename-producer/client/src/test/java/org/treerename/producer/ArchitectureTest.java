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
import org.treerename.namespace.NamespaceFile;
import org.treerename.observe.CurrentTrace;
import org.treerename.observe.ProgressJournal;
import org.treerename.observe.Spans;
import org.treerename.runtime.YamlFile;
import picocli.CommandLine.Command;

class ArchitectureTest {

    private static final ArchRule LIBRARY_IS_FREE_OF_THE_PROGRAMS = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("picocli..")
                    .or(resideInAPackage("ch.qos.logback.."))
                    .or(resideInAPackage("io.helidon.."))
                    .or(resideInAPackage("org.treerename.cli.."))
                    // these classes need SnakeYAML
                    .or(belongToAnyOf(NamespaceFile.class, YamlFile.class))
                    // the package observe needs Micrometer
                    .or(resideInAPackage("org.treerename.observe")
                            .and(not(belongToAnyOf(CurrentTrace.class, ProgressJournal.class)))));

    /**
     * In this package, only {@link TreeReader} needs the client of Elasticsearch. A program that does not read trees
     * works without this client.
     */
    private static final ArchRule LIBRARY_NEEDS_LITTLE = noClasses()
            .that()
            .resideInAPackage("org.treerename.producer")
            .and()
            .doNotBelongToAnyOf(TreeReader.class)
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(
                    "java..",
                    "org.treerename.producer",
                    "org.treerename.installation",
                    "org.treerename.lock",
                    "org.treerename.path",
                    "org.treerename.namespace",
                    "org.treerename.request",
                    "org.treerename.kafka",
                    "org.treerename.runtime",
                    "org.treerename.observe",
                    "org.apache.kafka..",
                    "org.slf4j..",
                    "org.jspecify..");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.treerename.producer");

    @Test
    void the_library_uses_no_library_of_the_programs() {
        LIBRARY_IS_FREE_OF_THE_PROGRAMS.check(CLASSES);
    }

    @Test
    void the_library_has_few_dependencies() {
        LIBRARY_NEEDS_LITTLE.check(CLASSES);
    }

    @Test
    void the_library_needs_no_tracing() {
        ArchitectureRules.NO_CLASS_NEEDS_TRACING.check(CLASSES);
    }

    @Test
    void no_class_reads_the_system_clock() {
        ArchitectureRules.NO_CLASS_READS_THE_CLOCK.check(CLASSES);
    }

    @Test
    void each_rule_finds_a_class_that_breaks_it() {
        JavaClasses offender = new ClassFileImporter().importClasses(Offender.class);

        assertThatThrownBy(() -> LIBRARY_IS_FREE_OF_THE_PROGRAMS.check(offender))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> LIBRARY_NEEDS_LITTLE.check(offender)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> ArchitectureRules.NO_CLASS_NEEDS_TRACING.check(offender))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> ArchitectureRules.NO_CLASS_READS_THE_CLOCK.check(offender))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void the_library_contains_no_logging_configuration() {
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
