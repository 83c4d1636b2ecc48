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

/** Tests the rules for the dependencies between packages, and for access to the clock. */
class ArchitectureTest {

    private static final String ROOT = "org.treerename.";

    /**
     * The classes of this module, without its test classes: all classes in the folder or jar that contains {@link
     * SystemTime}.
     */
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(SystemTime.class.getProtectionDomain().getCodeSource().getLocation());

    @ParameterizedTest(name = "{0} depends on {1}")
    @CsvSource({
        "runtime, ''",
        "installation, ''",
        "cli, runtime",
        "path, ''",
        "namespace, runtime path",
        "lock, path namespace",
        "store, ''",
        "process, runtime store",
        "request, path lock",
        "tree, runtime path namespace lock store process request",
        "journal, runtime path namespace lock store process request tree",
        "rename, runtime path namespace lock store process request tree journal",
        "overview, runtime path lock store process request journal",
        "elastic, installation path namespace lock store process request tree journal overview",
        "http, runtime",
        "kafka, installation runtime path lock store request",
        "observe, installation runtime path namespace store process request tree journal rename elastic",
        "service, installation runtime cli namespace store process tree rename elastic http kafka observe"
    })
    void a_package_depends_on_no_other_packages_than_these(String pkg, String allowed) {
        List<String> others = List.of(
                        "runtime",
                        "installation",
                        "cli",
                        "path",
                        "namespace",
                        "lock",
                        "store",
                        "process",
                        "request",
                        "tree",
                        "journal",
                        "rename",
                        "overview",
                        "elastic",
                        "http",
                        "kafka",
                        "observe",
                        "service")
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
                        ROOT + "runtime",
                        ROOT + "installation",
                        ROOT + "cli",
                        ROOT + "path",
                        ROOT + "namespace",
                        ROOT + "lock",
                        ROOT + "store",
                        ROOT + "process",
                        ROOT + "request",
                        ROOT + "tree",
                        ROOT + "journal",
                        ROOT + "rename",
                        ROOT + "overview",
                        ROOT + "elastic",
                        ROOT + "http",
                        ROOT + "kafka",
                        ROOT + "observe",
                        ROOT + "service");
    }

    @Test
    void only_elastic_uses_the_client_of_elasticsearch_and_only_kafka_the_client_of_kafka() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "elastic..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("co.elastic..", "org.apache.hc..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "kafka..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka..")
                .check(CLASSES);
    }

    @Test
    void only_observe_and_service_use_the_libraries_for_metrics_traces_and_logs() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "observe..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micrometer..", "io.prometheus..", "io.opentelemetry..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "service..")
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
