package org.treerename;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.runtime.SystemTime;

/** Rules for the dependencies between packages, and for access to the clock. */
class ArchitectureTest {

    private static final String ROOT = "org.treerename.";

    /** The classes of this module without its tests: they are in the same place as {@link SystemTime}. */
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(SystemTime.class.getProtectionDomain().getCodeSource().getLocation());

    @ParameterizedTest(name = "{0} depends on {1}")
    @CsvSource({
        "store, ''",
        "path, ''",
        "runtime, ''",
        "installation, ''",
        "command, runtime",
        "lock, store path",
        "process, store runtime",
        "rename, store path lock process runtime",
        "wire, store path installation lock rename runtime",
        "overview, store path lock process rename runtime",
        "reader, store path lock rename runtime",
        "elastic, store path installation lock process rename overview reader",
        "crash, store path lock process rename runtime",
        "steps, store path lock rename",
        "metrics, store path installation process rename runtime elastic",
        "trace, store path rename",
        "definition, path runtime",
        "host, store path installation lock process rename runtime wire elastic crash steps metrics trace definition command",
        "writer, store path installation process rename runtime elastic"
    })
    void a_package_depends_on_no_other_packages_than_these(String pkg, String allowed) {
        List<String> others = List.of(
                        "store",
                        "path",
                        "runtime",
                        "installation",
                        "lock",
                        "process",
                        "rename",
                        "overview",
                        "wire",
                        "elastic",
                        "crash",
                        "steps",
                        "metrics",
                        "trace",
                        "host",
                        "definition",
                        "command",
                        "reader",
                        "writer")
                .stream()
                .filter(other ->
                        !other.equals(pkg) && !List.of(allowed.split(" ")).contains(other))
                .map(other -> ROOT + other + "..")
                .toList();

        noClasses()
                .that()
                .resideInAPackage(ROOT + pkg + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others.toArray(String[]::new))
                .check(CLASSES);
    }

    @Test
    void every_package_is_in_the_list_above() {
        assertThat(CLASSES.getPackage("org.treerename").getSubpackages())
                .extracting(JavaPackage::getName)
                .containsExactlyInAnyOrder(
                        ROOT + "store",
                        ROOT + "path",
                        ROOT + "installation",
                        ROOT + "definition",
                        ROOT + "runtime",
                        ROOT + "command",
                        ROOT + "lock",
                        ROOT + "process",
                        ROOT + "rename",
                        ROOT + "overview",
                        ROOT + "wire",
                        ROOT + "elastic",
                        ROOT + "crash",
                        ROOT + "steps",
                        ROOT + "metrics",
                        ROOT + "trace",
                        ROOT + "host",
                        ROOT + "reader",
                        ROOT + "writer");
    }

    @Test
    void only_elastic_uses_the_client_of_elasticsearch_and_only_wire_the_client_of_kafka() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "elastic..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("co.elastic..", "org.apache.hc..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "wire..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka..")
                .check(CLASSES);
    }

    @Test
    void only_metrics_trace_and_host_use_the_libraries_for_metrics_traces_and_logs() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "metrics..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micrometer..", "io.prometheus..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "trace..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.opentelemetry..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "host..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("ch.qos.logback..")
                .check(CLASSES);
    }

    @Test
    void only_the_system_time_reads_the_clock_and_sleeps() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(SystemTime.class)
                .should()
                .accessTargetWhere(clockOrSleep())
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaAccess<?>> clockOrSleep() {
        Set<String> forbidden = Set.of(
                System.class.getName() + ".currentTimeMillis",
                System.class.getName() + ".nanoTime",
                Instant.class.getName() + ".now",
                Thread.class.getName() + ".sleep");
        return DescribedPredicate.describe(
                "reads a clock or sleeps",
                access -> forbidden.contains(access.getTargetOwner().getName() + "." + access.getName())
                        || access.getTargetOwner().isAssignableTo(Clock.class)
                        || access.getTargetOwner().isAssignableTo(InstantSource.class)
                        || (access.getName().equals("now")
                                && access.getTargetOwner().getPackageName().equals("java.time")));
    }

    @Test
    void every_package_is_null_marked() {
        classes().should().resideInAPackage("org.treerename..").check(CLASSES);
        for (JavaClass inside : CLASSES) {
            assertThat(inside.getPackage().isAnnotatedWith(NullMarked.class))
                    .describedAs("%s is @NullMarked", inside.getPackageName())
                    .isTrue();
        }
    }
}
