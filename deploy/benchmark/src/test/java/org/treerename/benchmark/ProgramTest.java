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
    void a_java_program_of_a_jar_or_a_module_is_named_by_it() {
        assertThat(Program.named("java", List.of("java", "-jar", "/opt/tool.jar")))
                .isEqualTo("java tool.jar");
        assertThat(Program.named("java", List.of("java", "-p", "/lib", "-m", "org.example/org.example.Server")))
                .isEqualTo("java org.example.Server");
    }

    @Test
    void a_java_program_that_says_no_more_is_java() {
        assertThat(Program.named("java", List.of("java", "-version"))).isEqualTo("java");
    }

    @Test
    void another_program_is_named_as_the_kernel_knows_it() {
        assertThat(Program.of(1, "sshd")).isEqualTo("sshd");
    }

    @Test
    void a_process_that_has_ended_keeps_the_name_that_is_known() {
        assertThat(Program.of(Long.MAX_VALUE, "java")).isEqualTo("java");
    }
}
