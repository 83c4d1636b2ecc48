package org.treerename.producer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.namespace.Namespace;
import org.treerename.producer.cli.BatchFile.Defaults;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;

class BatchReaderTest {

    private static final Defaults DEFAULTS = new Defaults("files", "fail", "me", "", List.of());

    private record Batch(String id, List<BatchLine> lines) {}

    private static Batch read(byte[] bytes, Defaults defaults) {
        try (BatchFile file = BatchFile.copyOf(new ByteArrayInputStream(bytes), defaults);
                BatchReader reader = file.read()) {
            List<BatchLine> lines = new ArrayList<>();
            for (BatchLine line = reader.next(); line != null; line = reader.next()) {
                lines.add(line);
            }
            return new Batch(file.id(), lines);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Batch read(String text) {
        return read(text.getBytes(StandardCharsets.UTF_8), DEFAULTS);
    }

    private static BatchLine line(long number, RenameRequest request, String... after) {
        return new BatchLine.Request(number, request, List.of(after));
    }

    private static RenameRequest plain(String requestId, String source, String destination) {
        return new RenameRequest(requestId, "files", source, destination, OnExisting.FAIL, "me");
    }

    private static String problem(String text) {
        return read(text).lines().stream()
                .filter(line -> line instanceof BatchLine.Bad)
                .map(line -> line.number() + ": " + ((BatchLine.Bad) line).problem())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void reads_source_and_destination_and_derives_the_id_from_batch_and_line() {
        Batch batch = read("/a,/b\r\n\n\"/c, \"\"d\"\"\",\" /e \"\n");

        assertThat(batch.id()).matches("batch-[0-9a-f]{32}");
        assertThat(batch.lines())
                .containsExactly(
                        line(1, plain(batch.id() + "-1", "/a", "/b")),
                        line(3, plain(batch.id() + "-3", "/c, \"d\"", " /e ")));
    }

    @Test
    void reads_the_column_names_in_the_first_line() {
        Batch batch = read("""
                \uFEFFdestination, source,version,on_existing,namespace,request_id,requested_by
                /b,/a,17,replace,terms,r-1,you
                /d,/c
                """);

        assertThat(batch.lines())
                .containsExactly(
                        line(
                                2,
                                new RenameRequest("r-1", "terms", "/a", "/b", OnExisting.REPLACE, "you")
                                        .withVersion(17)),
                        line(3, plain(batch.id() + "-3", "/c", "/d")));
    }

    @Test
    void reads_a_line_with_a_request_in_json() {
        Batch batch = read("{\"source\":\"/a\\n\",\"destination\":\"/b\",\"after\":[\"r-0\"],\"version\":null}\n"
                + "{\"source\":\"/c\",\"destination\":\"/d\",\"request_id\":\"r-1\",\"on_existing\":\"replace\","
                + "\"namespace\":\"terms\",\"requested_by\":\"you\",\"version\":17}");

        assertThat(batch.lines())
                .containsExactly(
                        line(1, plain(batch.id() + "-1", "/a\n", "/b"), "r-0"),
                        line(
                                2,
                                new RenameRequest("r-1", "terms", "/c", "/d", OnExisting.REPLACE, "you")
                                        .withVersion(17)));
    }

    @Test
    void derives_the_batch_id_from_content_and_defaults() {
        byte[] bytes = "/a,/b".getBytes(StandardCharsets.UTF_8);
        List<Batch> others = List.of(
                read("/a,/b\n"),
                read("/a,/c"),
                read(bytes, new Defaults("terms", "fail", "me", "", List.of())),
                read(bytes, new Defaults("files", "replace", "me", "", List.of())),
                read(bytes, new Defaults("files", "fail", "you", "", List.of())),
                read(bytes, new Defaults("files", "fail", "me", "again", List.of())));

        assertThat(read(bytes, DEFAULTS)).isEqualTo(read("/a,/b"));
        assertThat(others.stream().map(Batch::id))
                .doesNotContain(read("/a,/b").id())
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/a                                              | 1: destination is missing",
                ",/b                                             | 1: source is missing",
                "/a,/b,r,files,fail,me,1,x                       | 1: 8 values, but only 7 columns",
                "/a,/b,,,overwrite                               | 1: on_existing must be \"fail\" or \"replace\"",
                "/a,/b,,,,,x                                     | 1: version must be a whole number",
                "/a,/b,,,,,0                                     | 1: version must be a whole number",
                "\"/a,/b                                         | 1: the line is not valid CSV: ",
                "{\"source\":\"/a\"                              | 1: the line is not valid JSON: ",
                "{\"source\":\"/a\",\"source\":\"/b\"}           | 1: the line is not valid JSON: ",
                "{\"source\":1,\"destination\":\"/b\"}           | 1: source must be a string, found a number",
                "{\"source\":\"/a\",\"detination\":\"/b\"}       | 1: unknown field \"detination\"; did you mean \"destination\"?",
                "{\"source\":\"/\\ud800\",\"destination\":\"/b\"} | 1: a field must be well-formed Unicode, found a"
                        + " lone surrogate",
                "{} x                                            | 1: the line is not valid JSON: ",
            })
    void reports_number_and_problem_of_a_bad_line(String text, String problem) {
        assertThat(problem(text)).startsWith(problem);
    }

    @Test
    void a_repeated_request_id_makes_the_second_line_bad() {
        assertThat(problem("/a,/b,r-1\n/b,/c,r-1"))
                .isEqualTo("2: request_id \"r-1\" is already used in line 1; use another request_id");
    }

    @Test
    void invalid_bytes_make_only_their_own_line_bad() {
        byte[] bytes = "/a,/?\n/c,/d\n/e\r,/f\n".getBytes(StandardCharsets.UTF_8);
        bytes[4] = (byte) 0xFF;

        assertThat(read(bytes, DEFAULTS).lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo(new BatchLine.Bad(1, "not UTF-8")),
                        line -> assertThat(line).isInstanceOf(BatchLine.Request.class),
                        line -> assertThat(line.toString()).contains("a carriage return is inside the line"));
    }

    @Test
    void a_too_long_line_makes_only_itself_bad() {
        String longest = "/a," + "b".repeat(Lines.MAX_BYTES - 3);

        assertThat(read(longest + "b\n/c,/d").lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .isEqualTo(new BatchLine.Bad(1, "longer than " + Lines.MAX_BYTES + " bytes")),
                        line -> assertThat(line).isInstanceOf(BatchLine.Request.class));
    }

    @Test
    void checks_a_path_only_if_its_namespace_is_defined() {
        Defaults defaults = new Defaults("files", "fail", "me", "", List.of(Namespace.ofFiles("files", "files")));

        assertThat(read("a,/b\n/c,/d,,terms".getBytes(StandardCharsets.UTF_8), defaults)
                        .lines())
                .satisfiesExactly(
                        line -> assertThat(line.toString()).contains("source: "),
                        line -> assertThat(line).isInstanceOf(BatchLine.Request.class));
    }

    @Test
    void refuses_unknown_and_repeated_columns() {
        assertThatThrownBy(() -> read("\nsource,destination,namspace\n"))
                .hasMessage("line 2: unknown column \"namspace\"; did you mean \"namespace\"?");
        assertThatThrownBy(() -> read("source,destination,source\n"))
                .hasMessage("line 1: each column must be named only once, found source, destination, source");
    }
}
