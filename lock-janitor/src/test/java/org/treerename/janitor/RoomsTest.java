package org.treerename.janitor;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Duration;
import java.time.Instant;

@AnalyzeClasses(packages = "org.treerename.janitor", importOptions = DoNotIncludeTests.class)
final class RoomsTest {

    @ArchTest
    static final ArchRule onlyMainNamesElasticsearchAndKafka = noClasses()
            .that()
            .resideInAPackage("org.treerename.janitor")
            .and()
            .doNotHaveFullyQualifiedName(Main.class.getName())
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.treerename.elastic..", "org.treerename.wire..", "org.apache.kafka..");

    @ArchTest
    static final ArchRule whatTheConsoleShowsNamesNoStorage = noClasses()
            .that()
            .resideInAPackage("org.treerename.janitor.console")
            .and()
            .doNotHaveSimpleName("Console")
            .and()
            .doNotHaveSimpleName("Letters")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.treerename.elastic..", "org.treerename.wire..", "org.apache.kafka..");

    @ArchTest
    static final ArchRule onlyTheConsolesDoorNamesItsServer = noClasses()
            .that()
            .doNotHaveSimpleName("ConsoleDoor")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.helidon..");

    @ArchTest
    static final ArchRule nobodyReadsTheClockOrSleeps = noClasses()
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
