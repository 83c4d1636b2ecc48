package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProgramTest {

    @Test
    void a_java_program_is_named_by_its_main_class() {
        assertThat(Program.named("java", List.of("/usr/bin/java", "-Xmx1g", "-cp", "/a/b:/c", "org.example.Main", "x")))
                .isEqualTo("java Main");
    }

    @Test
    void a_java_program_is_named_by_its_jar_or_module() {
        assertThat(Program.named("java", List.of("java", "-jar", "/opt/tool.jar")))
                .isEqualTo("java tool.jar");
        assertThat(Program.named("java", List.of("java", "-p", "/lib", "-m", "org.example/org.example.Server")))
                .isEqualTo("java org.example.Server");
    }

    @Test
    void a_java_program_without_a_main_class_is_named_java() {
        assertThat(Program.named("java", List.of("java", "-version"))).isEqualTo("java");
    }

    @Test
    void another_program_has_the_name_that_the_kernel_reports() {
        assertThat(Program.of(1, "sshd")).isEqualTo("sshd");
    }

    @Test
    void a_process_that_has_ended_keeps_its_known_name() {
        assertThat(Program.of(Long.MAX_VALUE, "java")).isEqualTo("java");
    }
}
