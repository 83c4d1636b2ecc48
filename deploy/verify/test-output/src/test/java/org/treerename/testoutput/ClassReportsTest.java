package org.treerename.testoutput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class ClassReportsTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final AtomicLong nanos = new AtomicLong();

    @TempDir
    private Path folder;

    static final class Green {
        @Test
        void first() {}

        @Test
        @Disabled("shows a skipped test")
        void second() {}
    }

    static final class Red {
        @ParameterizedTest(name = "seed {0}")
        @ValueSource(longs = {1, 2})
        void holds(long seed) {
            if (seed == 2) {
                fail("the tree has 3 documents\nexpected 4");
            }
        }
    }

    @Disabled("shows a skipped class")
    static final class Off {
        @Test
        void never() {}
    }

    @Test
    void prints_one_line_per_class_and_the_reason_of_each_failure() {
        run(Green.class, Red.class, Off.class);

        String module = folder.getFileName().toString();
        assertThat(text())
                .startsWith(module + ": 3 test classes on Java ")
                .contains(module + " 1 of 3: ClassReportsTest$Green: 2 tests, 1 skipped, 0.0 s")
                .contains("FAILED ClassReportsTest$Red.holds [seed 2]", "the tree has 3 documents", "expected 4")
                .contains(
                        "log: " + folder.resolve("target/surefire-reports") + "/" + Red.class.getName() + "-output.txt")
                .contains("at org.treerename.testoutput.ClassReportsTest")
                .contains(module + " 2 of 3: FAILED ClassReportsTest$Red: 2 tests, 1 failed, 0.0 s")
                .contains(module + " 3 of 3: ClassReportsTest$Off: skipped: shows a skipped class");
    }

    @Test
    void notes_failed_tests_for_the_end_of_the_build() {
        run(Red.class);

        List<String> lines = EndOfBuild.lines(folder);
        assertThat(lines).hasSize(3).startsWith("FAILED:").endsWith("Tests run: 2, Failures: 1, Errors: 0, Skipped: 0");
        assertThat(lines.get(1)).contains("Red.holds [seed 2]: ", "3 documents");
    }

    @Test
    void leaves_no_note_when_all_pass() {
        run(Green.class);

        assertThat(EndOfBuild.lines(folder)).containsExactly("Tests run: 2, Failures: 0, Errors: 0, Skipped: 1");
        assertThat(folder.resolve("target").resolve(Notes.FAILED)).doesNotExist();
    }

    @Test
    void leaves_a_note_when_the_tests_do_not_end() {
        reports().testPlanExecutionStarted(plan(Green.class));

        assertThat(EndOfBuild.lines(folder)).hasSize(2).last().asString().contains("the tests did not finish");
    }

    @Test
    void integration_tests_add_to_the_notes_of_the_unit_tests() {
        run(Red.class);
        run(reports(true), Green.class);

        assertThat(EndOfBuild.lines(folder))
                .hasSize(3)
                .startsWith("FAILED:")
                .endsWith("Tests run: 4, Failures: 1, Errors: 0, Skipped: 1");
    }

    @Test
    void unit_tests_begin_new_notes() {
        run(Red.class);
        run(Green.class);

        assertThat(EndOfBuild.lines(folder)).doesNotContain("FAILED:");
    }

    @Test
    void prints_a_line_after_thirty_quiet_seconds() {
        ClassReports reports = reports();
        TestPlan plan = plan(Green.class);
        reports.testPlanExecutionStarted(plan);
        plan.getRoots().stream()
                .flatMap(root -> plan.getDescendants(root).stream())
                .filter(identifier -> identifier.getDisplayName().startsWith("first"))
                .forEach(reports::executionStarted);

        nanos.addAndGet(Duration.ofSeconds(29).toNanos());
        reports.reportQuiet();
        assertThat(text()).doesNotContain("running");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        reports.reportQuiet();

        assertThat(text()).contains("0 of 1: running ClassReportsTest$Green.first for 30 s");
    }

    @Test
    void prints_skipped_tests_as_the_last_lines_of_the_build() throws Exception {
        Path target = Files.createDirectories(folder.resolve("deploy/module/target"));
        Files.write(
                target.resolve(Notes.SKIPPED), List.of("PageIT needs chromium: deploy/verify/packages installs it"));

        assertThat(EndOfBuild.lines(folder))
                .containsExactly(
                        "SKIPPED, because a program is missing:",
                        "  PageIT needs chromium: deploy/verify/packages installs it");
    }

    private void run(Class<?>... classes) {
        run(reports(), classes);
    }

    @Test
    void names_the_variant_of_the_tests_and_its_log() {
        run(reports("9.2.8", false), Red.class);

        assertThat(text())
                .contains(folder.getFileName() + "-9.2.8 1 of 1: FAILED ClassReportsTest$Red: 2 tests, 1 failed, 0.0 s")
                .contains("/" + Red.class.getName() + "-9.2.8-output.txt");
    }

    private static void run(ClassReports reports, Class<?>... classes) {
        LauncherFactory.create(LauncherConfig.builder()
                        .enableTestExecutionListenerAutoRegistration(false)
                        .build())
                .execute(request(classes).build(), reports);
    }

    private ClassReports reports() {
        return reports(false);
    }

    private ClassReports reports(boolean adds) {
        return reports("", adds);
    }

    private ClassReports reports(String variant, boolean adds) {
        return new ClassReports(
                new PrintStream(printed, true, StandardCharsets.UTF_8), folder, variant, adds, nanos::get);
    }

    private static TestPlan plan(Class<?>... classes) {
        return LauncherFactory.create().discover(request(classes).build());
    }

    private static LauncherDiscoveryRequestBuilder request(Class<?>... classes) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (Class<?> type : classes) {
            request.selectors(DiscoverySelectors.selectClass(type));
        }
        return request;
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
