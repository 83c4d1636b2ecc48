package org.treerename.janitor;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Duration;
import java.time.Instant;

@AnalyzeClasses(packages = "org.treerename.janitor", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {

    private static final String JANITOR = "org.treerename.janitor";
    private static final String RECOVERY = "org.treerename.janitor.recovery";
    private static final String AUDIT = "org.treerename.janitor.audit";

    @ArchTest
    static final ArchRule ONLY_MAIN_DEPENDS_ON_ELASTICSEARCH_AND_KAFKA = noClasses()
            .that()
            .resideInAnyPackage(JANITOR, RECOVERY, AUDIT)
            .and()
            .doNotHaveFullyQualifiedName(Main.class.getName())
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.treerename.elastic..", "org.treerename.kafka..", "org.apache.kafka..");

    @ArchTest
    static final ArchRule RECOVERY_AND_AUDIT_DEPEND_ON_NO_PROGRAM = noClasses()
            .that()
            .resideInAnyPackage(RECOVERY, AUDIT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(JANITOR, "org.treerename.janitor.admin", "org.treerename.janitor.console");

    @ArchTest
    static final ArchRule THE_AUDIT_DEPENDS_ON_NO_RECOVERY = noClasses()
            .that()
            .resideInAPackage(AUDIT)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(RECOVERY);

    @ArchTest
    static final ArchRule THE_CONSOLE_DEPENDS_ON_NO_STORAGE = noClasses()
            .that()
            .resideInAPackage("org.treerename.janitor.console")
            .and()
            .doNotHaveSimpleName("Console")
            .and()
            .doNotHaveSimpleName("DeadLetterReader")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.treerename.elastic..", "org.treerename.kafka..", "org.apache.kafka..");

    @ArchTest
    static final ArchRule ONLY_COMMON_DEPENDS_ON_HELIDON =
            noClasses().should().dependOnClassesThat().resideInAPackage("io.helidon..");

    @ArchTest
    static final ArchRule NO_CLASS_READS_THE_CLOCK_OR_SLEEPS = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", Duration.class);
}
