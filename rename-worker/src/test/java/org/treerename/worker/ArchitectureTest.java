package org.treerename.worker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "org.treerename.worker", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule ONLY_MAIN_DEPENDS_ON_ELASTICSEARCH = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(Main.class.getName())
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.treerename.elastic..");

    @ArchTest
    static final ArchRule NO_CLASS_READS_THE_CLOCK_OR_SLEEPS = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class);
}
