package org.treerename.worker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "org.treerename.worker", importOptions = DoNotIncludeTests.class)
final class RoomsTest {

    @ArchTest
    static final ArchRule onlyMainNamesElasticsearch = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(Main.class.getName())
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.treerename.elastic..");

    @ArchTest
    static final ArchRule nobodyReadsTheClockOrSleeps = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class);
}
