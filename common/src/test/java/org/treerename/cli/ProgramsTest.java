package org.treerename.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class ProgramsTest {

    @Command(name = "tool")
    static final class Tool {}

    @Command(name = "move", mixinStandardHelpOptions = true)
    static final class Move implements Callable<Integer> {

        @Parameters(index = "0", paramLabel = "FROM")
        String from = "";

        @Parameters(index = "1", paramLabel = "TO")
        String to = "";

        @Option(names = "--replace")
        boolean replace;

        @Override
        public Integer call() {
            return 0;
        }
    }

    @Command(name = "deep")
    static final class Deep {}

    private record Ended(int code, String out, String err) {}

    private static Ended run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Programs.complete(new CommandLine(new Tool())
                        .addSubcommand(new Move())
                        .addSubcommand(new CommandLine(new Deep()).addSubcommand(new Move())))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setParameterExceptionHandler((wrong, rejected) -> {
                    wrong.getCommandLine()
                            .getErr()
                            .println(WrongUse.line(wrong.getCommandLine(), WrongUse.sentence(wrong)));
                    return ExitCode.WRONG_USE.code();
                })
                .execute(arguments);
        return new Ended(code, out.toString(), err.toString());
    }

    @Test
    void every_command_prints_the_version_of_the_program() {
        for (String[] arguments : new String[][] {
            {"--version"}, {"-V"}, {"move", "--version"}, {"deep", "move", "-V"}, {"generate-completion", "-V"}
        }) {
            assertThat(run(arguments)).satisfies(ended -> {
                assertThat(ended.code()).isZero();
                assertThat(ended.out()).matches("tool [0-9]+[.][0-9]+.*\n");
            });
        }
    }

    @Test
    void every_command_has_help_and_the_options_of_the_configuration() {
        assertThat(run("--help").out()).contains("--config=FILE", "--version", "generate-completion");
        assertThat(run("deep", "move", "--help").out()).contains("--config=FILE", "--version");
        assertThat(run("deep", "move", "a", "b", "--config=x").code()).isZero();
        assertThat(run("--config=x", "deep", "move", "a", "b").code()).isZero();
    }

    @Test
    void prints_a_completion_script() {
        assertThat(run("generate-completion").out()).contains("complete -F _complete_tool", "--replace", "--config");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                | expected a command, found none; the commands are move, deep, generate-completion (see tool --help)",
                "mov a b           | unknown command mov; did you mean move? (see tool --help)",
                "xxxxxxxx          | unknown command xxxxxxxx; expected one of move, deep, generate-completion (see tool --help)",
                "move a            | expected FROM TO, found no TO (see tool move --help)",
                "move              | expected FROM TO, found no FROM (see tool move --help)",
                "move a b c        | expected FROM TO, found one more argument: c (see tool move --help)",
                "move a b --relpace | unknown option --relpace; did you mean --replace? (see tool move --help)",
                "deep move a b --relpace=x | unknown option --relpace; did you mean --replace? (see tool deep move --help)",
                "move a b --zzzzzz | unknown option --zzzzzz (see tool move --help)",
            })
    void wrong_use_is_one_sentence_with_the_next_step(String arguments, String sentence) {
        Ended ended =
                run(arguments.isBlank() ? new String[0] : arguments.strip().split(" +"));

        assertThat(ended).isEqualTo(new Ended(2, "", "tool: " + sentence.strip() + "\n"));
    }

    @Test
    void a_user_without_a_name_is_named_by_the_environment_or_the_host() {
        assertThat(Programs.user("me", Map.of("USER", "other"))).isEqualTo("me");
        assertThat(Programs.user("?", Map.of("USER", "me", "LOGNAME", "other"))).isEqualTo("me");
        assertThat(Programs.user("?", Map.of("USER", "", "LOGNAME", "me"))).isEqualTo("me");
        assertThat(Programs.user("?", Map.of("HOSTNAME", "pod-7"))).isEqualTo("unnamed user on pod-7");
        assertThat(Programs.user(null, Map.of())).isEqualTo("unnamed user on an unnamed host");
    }
}
