package org.treerename.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class OutputTest {

    @Command(name = "show")
    static final class Show {
        @Mixin
        Output output = new Output();
    }

    private static String printed(String format, Consumer<Output> print) {
        StringWriter out = new StringWriter();
        Show show = new Show();
        CommandLine command = new CommandLine(show).setOut(new PrintWriter(out));
        command.parseArgs("-o", format);
        print.accept(show.output);
        command.getOut().flush();
        return out.toString();
    }

    private static ObjectNode object(String path) {
        return JsonNodeFactory.instance.objectNode().put("path", path).put("size", 1);
    }

    private static String object(String format, String path) {
        return printed(format, output -> output.object(object(path), () -> List.of("at " + path, "size 1")));
    }

    @Test
    void an_object_is_lines_or_json_and_never_an_escape_sequence() {
        assertThat(object("table", "/a\u001b")).isEqualTo("at /a\\u001b\nsize 1\n");
        assertThat(object("json", "/ä\u001b\u202e")).isEqualTo("{\"path\":\"/ä\\u001B\\u202e\",\"size\":1}\n");
    }

    private static String list(String format, String... paths) {
        return printed(format, output -> {
            Output.Rows rows = output.list("PATH", "SIZE");
            for (String path : paths) {
                rows.add(object(path), path, 1);
            }
            rows.end();
        });
    }

    @Test
    void a_list_is_a_table_or_one_array() {
        assertThat(list("table", "/a", "/bcd")).isEqualTo("PATH  SIZE\n/a    1\n/bcd  1\n");
        assertThat(list("json", "/a", "/b"))
                .isEqualTo("[\n{\"path\":\"/a\",\"size\":1},\n{\"path\":\"/b\",\"size\":1}\n]\n");
    }

    @Test
    void an_empty_list_is_no_table_and_an_empty_array() {
        assertThat(list("table")).isEmpty();
        assertThat(list("json")).isEqualTo("[]\n");
    }

    @Test
    void an_empty_list_is_reported_on_standard_error() {
        StringWriter err = new StringWriter();
        Show show = new Show();
        CommandLine command = new CommandLine(show).setOut(new PrintWriter(new StringWriter()));
        command.setErr(new PrintWriter(err, true));
        command.parseArgs();
        show.output.list("PATH").endOr("no path was found");
        Output.Rows full = show.output.list("PATH");
        full.add(object("/a"), "/a");
        full.endOr("not printed");

        assertThat(err).hasToString("show: no path was found\n");
    }

    @Test
    void a_list_without_headers_is_one_line_for_each_cell() {
        Consumer<Output> print = output -> {
            Output.Rows rows = output.list();
            rows.add(object("/a"), "first\u0007", "second");
            rows.end();
            output.note("1 line");
        };

        assertThat(printed("table", print)).isEqualTo("first\\u0007\nsecond\n1 line\n");
        assertThat(printed("json", print)).isEqualTo("[\n{\"path\":\"/a\",\"size\":1}\n]\n");
    }

    @Test
    void the_list_of_a_command_that_fails_is_no_json() {
        String cut = printed("json", output -> output.list("PATH").add(object("/a"), "/a"));

        assertThat(cut).isEqualTo("[\n{\"path\":\"/a\",\"size\":1}");
    }

    @Test
    void json_is_printed_as_it_was_published_and_keeps_its_numbers() {
        String published = "{ \"b\":1.10,\"a\":12345678901234567890 }";

        assertThat(printed("json", output -> output.published(published, () -> "done")))
                .isEqualTo(published + "\n");
        assertThat(printed("table", output -> output.published(published, () -> "done")))
                .isEqualTo("done\n");
        assertThat(printed("json", output -> output.published("{\"a\":\n1}", () -> "done")))
                .isEqualTo("{\"a\":1}\n");
    }

    @Test
    void raw_parts_of_an_object_are_json_as_well() {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.putRawValue("source", new RawValue("{\"n\":1.50}"));

        assertThat(printed("json", output -> output.object(object, List::of))).isEqualTo("{\"source\":{\"n\":1.50}}\n");
    }

    @Test
    void refuses_another_format() {
        StringWriter err = new StringWriter();
        int code = new CommandLine(new Show()).setErr(new PrintWriter(err)).execute("-o", "xml");

        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains("must be table or json, was 'xml'");
    }
}
