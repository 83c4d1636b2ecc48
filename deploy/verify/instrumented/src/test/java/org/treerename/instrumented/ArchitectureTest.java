package org.treerename.instrumented;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.net.URL;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.treerename.service.Host;

/**
 * Tests that the released services contain no instrumentation for tests, and only one class that can halt the process.
 */
class ArchitectureTest {

    private static final String[] INSTRUMENTS = {
        "org.treerename.crash..", "org.treerename.steps..", "org.treerename.instrumented.."
    };

    /** The classes of common, of the worker and of the janitor, without their tests. */
    private static final JavaClasses RELEASED = new ClassFileImporter()
            .importUrls(Stream.of(Host.class, org.treerename.worker.Main.class, org.treerename.janitor.Main.class)
                    .map(ArchitectureTest::location)
                    .toList());

    private static URL location(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Test
    void no_released_class_is_an_instrument_or_depends_on_one() {
        noClasses().should().resideInAnyPackage(INSTRUMENTS).check(RELEASED);
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(INSTRUMENTS)
                .check(RELEASED);
    }

    @Test
    void only_a_worker_with_a_stuck_rename_halts_its_process() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(org.treerename.worker.Main.class)
                .should()
                .callMethod(Runtime.class, "halt", int.class)
                .check(RELEASED);
    }
}
