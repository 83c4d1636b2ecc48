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
import org.treerename.path.Namespace;
import org.treerename.producer.cli.BatchFile.Defaults;
import org.treerename.rename.OnExisting;
import org.treerename.rename.ParsedRequest.RenameRequest;

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
    void theFirstTwoValuesAreSourceAndDestinationAndTheIdIsMadeOfTheBatchAndTheLine() {
        Batch batch = read("/a,/b\r\n\n\"/c, \"\"d\"\"\",\" /e \"\n");

        assertThat(batch.id()).matches("batch-[0-9a-f]{32}");
        assertThat(batch.lines())
                .containsExactly(
                        line(1, plain(batch.id() + "-1", "/a", "/b")),
                        line(3, plain(batch.id() + "-3", "/c, \"d\"", " /e ")));
    }

    @Test
    void aFirstLineMayNameTheColumns() {
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
    void aLineMayBeARequestAsJson() {
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
    void theSameContentIsTheSameBatchAndAnyOtherIsAnother() {
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
                "/a,/b,r,files,fail,me,1,x                       | 1: 8 values where at most 7 belong",
                "/a,/b,,,overwrite                               | 1: on_existing must be \"fail\" or \"replace\"",
                "/a,/b,,,,,x                                     | 1: version must be a whole number",
                "/a,/b,,,,,0                                     | 1: version must be a whole number",
                "\"/a,/b                                         | 1: no CSV: ",
                "{\"source\":\"/a\"                              | 1: no JSON: ",
                "{\"source\":\"/a\",\"source\":\"/b\"}           | 1: no JSON: ",
                "{\"source\":1,\"destination\":\"/b\"}           | 1: source must be a string, found number",
                "{\"source\":\"/a\",\"detination\":\"/b\"}       | 1: unknown field \"detination\"; did you mean \"destination\"?",
                "{\"source\":\"/\\ud800\",\"destination\":\"/b\"} | 1: a field is not well-formed Unicode",
                "{} x                                            | 1: no JSON: ",
            })
    void aLineThatIsNoRequestTellsItsNumberAndWhy(String text, String problem) {
        assertThat(problem(text)).startsWith(problem);
    }

    @Test
    void aRequestIdThatTwoLinesHaveIsBadInTheSecond() {
        assertThat(problem("/a,/b,r-1\n/b,/c,r-1")).isEqualTo("2: request_id \"r-1\" is that of line 1");
    }

    @Test
    void bytesThatAreNoTextSpoilOnlyTheirLine() {
        byte[] bytes = "/a,/?\n/c,/d\n/e\r,/f\n".getBytes(StandardCharsets.UTF_8);
        bytes[4] = (byte) 0xFF;

        assertThat(read(bytes, DEFAULTS).lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo(new BatchLine.Bad(1, "not UTF-8")),
                        line -> assertThat(line).isInstanceOf(BatchLine.Request.class),
                        line -> assertThat(line.toString()).contains("a carriage return stands inside the line"));
    }

    @Test
    void aLineThatIsLongerThanARequestMayBeSpoilsOnlyItself() {
        String longest = "/a," + "b".repeat(Lines.MAX_BYTES - 3);

        assertThat(read(longest + "b\n/c,/d").lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .isEqualTo(new BatchLine.Bad(1, "longer than " + Lines.MAX_BYTES + " bytes")),
                        line -> assertThat(line).isInstanceOf(BatchLine.Request.class));
    }

    @Test
    void aPathIsLookedAtWhereTheNamespaceIsDefined() {
        Defaults defaults = new Defaults("files", "fail", "me", "", List.of(Namespace.ofFiles("files", "files")));

        assertThat(read("a,/b\n/c,/d,,terms".getBytes(StandardCharsets.UTF_8), defaults)
                        .lines())
                .satisfiesExactly(
                        line -> assertThat(line.toString()).contains("source: "),
                        line -> assertThat(line).isInstanceOf(BatchLine.Request.class));
    }

    @Test
    void columnsThatThereAreNotAreToldWithTheNearest() {
        assertThatThrownBy(() -> read("\nsource,destination,namspace\n"))
                .hasMessage("line 2: unknown column \"namspace\"; did you mean \"namespace\"?");
        assertThatThrownBy(() -> read("source,destination,source\n"))
                .hasMessage("line 1: a column stands there twice: source, destination, source");
    }
}
