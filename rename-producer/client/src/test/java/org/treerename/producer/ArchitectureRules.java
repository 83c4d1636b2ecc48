package org.treerename.producer;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import org.treerename.observe.Spans;

/** The architecture rules for the library and for the programs that use the library. */
public final class ArchitectureRules {

    /**
     * No class uses OpenTelemetry or {@link Spans}. {@link Spans} is the only public class in the package {@code
     * org.treerename.observe} that needs OpenTelemetry.
     */
    public static final ArchRule NO_CLASS_NEEDS_TRACING = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("io.opentelemetry..").or(belongToAnyOf(Spans.class)));

    public static final ArchRule NO_CLASS_READS_THE_CLOCK = noClasses()
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class);

    private ArchitectureRules() {}

    /** Returns the classes of a package and of the packages below this package, without test classes. */
    public static JavaClasses classesOf(String packageName) {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(packageName);
    }
}
