package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.installation.Installation;

class StackEnvTest {

    @TempDir
    private Path folder = Path.of("");

    private static StackEnv of(long pid) {
        return new StackEnv(
                Map.of(StackEnv.ELASTICSEARCH, "http://127.0.0.1:9200", StackEnv.STACK_PID, String.valueOf(pid)));
    }

    @Test
    void reads_the_file_that_it_wrote() {
        Path file = folder.resolve("stack.env");
        StackEnv env = of(17);

        env.write(file);

        assertThat(StackEnv.read(file)).contains(env);
        assertThat(env.isOf(17)).isTrue();
        assertThat(env.isOf(1)).isFalse();
    }

    @Test
    void uses_the_address_of_the_running_stack_unless_the_environment_names_another() {
        Path file = folder.resolve("stack.env");
        of(ProcessHandle.current().pid()).write(file);

        assertThat(StackEnv.address(StackEnv.ELASTICSEARCH, Map.of(), file)).isEqualTo("http://127.0.0.1:9200");
        assertThat(StackEnv.address(StackEnv.ELASTICSEARCH, Map.of(StackEnv.ELASTICSEARCH, "http://other"), file))
                .isEqualTo("http://other");
    }

    @Test
    void uses_the_prefix_of_the_running_stack_unless_the_environment_names_a_prefix_or_another_address() {
        Path file = folder.resolve("stack.env");
        new StackEnv(Map.of(StackEnv.PREFIX, "blue")).write(file);

        assertThat(StackEnv.installation(Map.of(), file)).isEqualTo(new Installation("blue"));
        assertThat(StackEnv.installation(Map.of(StackEnv.PREFIX, "green"), file))
                .isEqualTo(new Installation("green"));
        assertThat(StackEnv.installation(Map.of(StackEnv.PREFIX, ""), file)).isEqualTo(Installation.DEFAULT);
        assertThat(StackEnv.installation(Map.of(StackEnv.ELASTICSEARCH, "http://other"), file))
                .isEqualTo(Installation.DEFAULT);
        assertThat(StackEnv.installation(Map.of(), folder.resolve("nothing"))).isEqualTo(Installation.DEFAULT);
    }

    @Test
    void ignores_the_file_of_a_stack_that_was_killed() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Path file = folder.resolve("stack.env");
        of(dead.pid()).write(file);

        assertThatThrownBy(() -> StackEnv.address(StackEnv.ELASTICSEARCH, Map.of(), file))
                .hasMessageContaining("deploy/run/up");
        assertThatThrownBy(() -> StackEnv.address(StackEnv.KAFKA, Map.of(), folder.resolve("nothing")))
                .hasMessageContaining("no local stack is running");
    }
}
