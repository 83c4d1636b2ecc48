package org.treerename.producer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.producer.InMemoryKafka;
import org.treerename.producer.OutcomeTexts;
import org.treerename.producer.PeerWorker;
import org.treerename.request.Reason;
import org.treerename.request.RenameProgress;

class BatchCommandTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Map<String, String> SERVERS = Map.of("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092");

    private InMemoryKafka kafka = new InMemoryKafka(0);

    @TempDir
    private Path folder;

    private Path file;

    private record Ended(int code, String out, String err) {}

    @BeforeEach
    void writeTheBatch() throws IOException {
        file = folder.resolve("renames.csv");
        write("/a,/b\n/c,/d\n/e,/f\n");
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    private Ended run(String... options) {
        return run(5, options);
    }

    private Ended run(int inFlight, String... options) {
        List<String> arguments = new ArrayList<>(List.of("batch", file.toString(), "--in-flight=" + inFlight));
        arguments.addAll(List.of(options));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Main main = new Main(
                new Connectors(
                        settings -> kafka.producer(),
                        (settings, request) -> {
                            throw new AssertionError("a batch must not start a dry run");
                        },
                        settings -> {
                            throw new AssertionError("a batch must not read the journal");
                        }),
                SERVERS,
                new PrintWriter(out, true),
                new PrintWriter(err, true));
        int code = main.run(kafka.time(), arguments.toArray(String[]::new));
        return new Ended(code, out.toString(), err.toString());
    }

    private List<String> sentIds() {
        return kafka.sent().stream()
                .map(record -> PeerWorker.id(record.headers()))
                .toList();
    }

    /** Returns the numbers of the lines that were sent. */
    private List<String> sentLines() {
        return sentIds().stream().map(BatchCommandTest::line).toList();
    }

    private static String line(String requestId) {
        return requestId.substring(requestId.lastIndexOf('-') + 1);
    }

    private static String completed(String requestId) {
        return OutcomeTexts.json(OutcomeTexts.completed(requestId, 1));
    }

    @Test
    void sends_all_lines_in_order_and_exits_with_0_if_all_complete() {
        kafka.attach(BatchCommandTest::completed);

        Ended ended = run();

        assertThat(ended).isEqualTo(new Ended(0, "3 renames: 3 completed, 0 rejected, 0 failed (0.0 s)\n", ""));
        assertThat(sentLines()).containsExactly("1", "2", "3");
    }

    @Test
    void reports_the_lines_that_were_not_done_and_exits_with_1() {
        kafka.attach(id -> line(id).equals("2")
                ? OutcomeTexts.json(OutcomeTexts.rejected(id, Reason.SOURCE_NOT_FOUND, "no \u001b/b"))
                : completed(id));

        Ended ended = run();

        assertThat(ended)
                .isEqualTo(new Ended(
                        1,
                        "line 2: rejected: source_not_found: no \\u001b/b (request "
                                + sentIds().get(1) + ")\n"
                                + "3 renames: 2 completed, 1 rejected, 0 failed; 1 source_not_found (0.0 s)\n",
                        ""));
    }

    @Test
    void reports_only_the_first_100_lines_that_were_not_done() throws IOException {
        write(IntStream.range(0, 103).mapToObj(i -> "/a" + i + ",/b" + i + "\n").collect(Collectors.joining()));
        kafka.attach(id -> OutcomeTexts.json(OutcomeTexts.rejected(id, Reason.SOURCE_NOT_FOUND, "no")));

        Ended ended = run();

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out().lines())
                .hasSize(102)
                .contains("... and 3 more without success; --report FILE writes all outcomes to a file");
        assertThat(ended.out()).contains("103 renames: 0 completed, 103 rejected");
    }

    @Test
    void json_is_one_object() throws IOException {
        kafka.attach(id -> line(id).equals("2")
                ? OutcomeTexts.json(OutcomeTexts.rejected(id, Reason.SOURCE_NOT_FOUND, "no /b"))
                : completed(id));

        Ended ended = run("-o", "json");

        String batch = sentIds().get(0).replaceAll("-1$", "");
        assertThat(MAPPER.readTree(ended.out())).isEqualTo(MAPPER.readTree("""
                        {"batch":"%s","renames":3,"completed":2,"rejected":1,"failed":0,"cancelled":0,"abandoned":0,"other":0,"open":0,"parked":0,"not_sent":0,
                         "bad_lines":0,"interrupted":false,"seconds":0.0,"reasons":{"source_not_found":1},
                         "failures":[{"line":2,"request_id":"%s-2","status":"rejected","reason":"source_not_found",
                         "message":"no /b"}]}""".formatted(batch, batch)));
        assertThat(ended.out().lines()).hasSize(1);
    }

    @Test
    void reports_bad_lines_and_sends_nothing() throws IOException {
        write("/a,/b\n/b\n/d,/e\n");

        Ended ended = run();

        assertThat(ended)
                .isEqualTo(new Ended(
                        2,
                        "",
                        "line 2: destination is missing\nnothing was sent; lines that contain no request: 1 of"
                                + " 3; correct these lines, or leave them out with --skip-bad\n"));
        assertThat(kafka.sent()).isEmpty();
    }

    @Test
    void skip_bad_sends_the_other_lines_and_exits_with_1() throws IOException {
        write("/a,/b\n/b\n/d,/e\n");
        kafka.attach(BatchCommandTest::completed);

        Ended ended = run("--skip-bad");

        assertThat(ended)
                .isEqualTo(new Ended(
                        1,
                        "2 renames: 2 completed, 0 rejected, 0 failed, 1 bad line left out (0.0 s)\n",
                        "line 2: destination is missing\n"));
        assertThat(sentLines()).containsExactly("1", "3");
    }

    @Test
    void exits_with_3_without_an_outcome_in_time_and_explains_how_to_continue() {
        kafka.attach(id -> {
            if (line(id).equals("1")) {
                return completed(id);
            }
            kafka.time().advance(Duration.ofMinutes(11));
            return null;
        });

        Ended ended = run(1);

        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.out()).startsWith("3 renames: 1 completed, 0 rejected, 0 failed, 1 open, 1 not sent (");
        assertThat(ended.err())
                .isEqualTo("1 of 3 (33.3 %), 0 per second, 22 min 1 s left\n"
                        + "stopped: no outcome within 600 s; requests: 1 ended (0 without success), 1 open, 1 not sent;"
                        + " open requests may still be processed; repeat the command with the same content to continue;"
                        + " no request is processed twice\n");
        assertThat(sentLines()).containsExactly("1", "2");
    }

    @Test
    void reports_a_parked_line_at_once_and_exits_with_3_when_all_other_lines_have_ended() {
        kafka.addProgressTopic();
        kafka.attach(id -> {
            if (!line(id).equals("1")) {
                return completed(id);
            }
            kafka.report(parked(id));
            kafka.report(parked(id));
            return null;
        });

        Ended ended = run(1, "--timeout=24h");

        assertThat(ended)
                .isEqualTo(new Ended(
                        3,
                        "3 renames: 2 completed, 0 rejected, 0 failed, 1 open (1 of them parked), 0 not sent (0.0 s)\n",
                        "line 1: " + RenameProgress.parkedInWords(sentIds().get(0), "the index is read-only")
                                + "\nall other requests have ended; requests: 2 ended (0 without success), 1 open (1 of"
                                + " them parked), 0 not sent; open requests may still be processed; repeat the command"
                                + " with the same content to continue; no request is processed twice\n"));
        assertThat(sentLines()).containsExactly("1", "2", "3");
    }

    private static RenameProgress parked(String id) {
        return new RenameProgress(id, 1, 5, 1, "worker-1", false, null, "the index is read-only");
    }

    @Test
    void a_parked_line_whose_rename_ends_in_time_counts_only_as_ended() {
        kafka.addProgressTopic();
        kafka.attach(id -> {
            if (line(id).equals("1")) {
                kafka.report(parked(id));
                return null;
            }
            if (line(id).equals("2")) {
                kafka.publish(sentIds().get(0), completed(sentIds().get(0)));
            }
            return completed(id);
        });

        Ended ended = run(1, "--timeout=24h");

        assertThat(ended)
                .isEqualTo(new Ended(
                        0,
                        "3 renames: 3 completed, 0 rejected, 0 failed (0.0 s)\n",
                        "line 1: " + RenameProgress.parkedInWords(sentIds().get(0), "the index is read-only") + "\n"));
    }

    @Test
    void stops_at_a_request_that_kafka_does_not_acknowledge() throws Exception {
        kafka.holdBackAcknowledgements();
        CompletableFuture<Ended> ended = CompletableFuture.supplyAsync(() -> run(1));
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> kafka.sent().size() == 1);

        kafka.refuse(new TimeoutException("expired"));

        assertThat(ended.get(120, TimeUnit.SECONDS).code()).isEqualTo(3);
        assertThat(ended.get().err())
                .startsWith("stopped: Kafka did not acknowledge request "
                        + sentIds().get(0));
        assertThat(kafka.sent()).hasSize(1);
    }

    @Test
    void limits_the_requests_in_flight_and_stops_at_a_signal() throws Exception {
        write(IntStream.range(0, 10).mapToObj(i -> "/a" + i + ",/b" + i + "\n").collect(Collectors.joining()));
        AtomicBoolean isInterrupted = new AtomicBoolean();
        Tally tally = new Tally();
        BatchRun run = new BatchRun(
                BatchCommand.toKafka(kafka.producer()),
                new BatchRun.Limits(10, 3, Duration.ofMinutes(10)),
                tally,
                kafka.time(),
                isInterrupted::get);
        StringWriter err = new StringWriter();
        ProgressLine progress = new ProgressLine(new PrintWriter(err), false, kafka.time(), 0);
        CompletableFuture<String> ended = CompletableFuture.supplyAsync(() -> {
            try (BatchFile batch = batch();
                    BatchReader lines = batch.read();
                    OutcomeLog log = OutcomeLog.open(null, batch.id(), tally)) {
                return String.valueOf(run.run(lines, log, progress));
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> kafka.sent().size() == 3);

        kafka.publish(sentIds().get(0), completed(sentIds().get(0)));

        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> kafka.sent().size() == 4);
        isInterrupted.set(true);
        assertThat(ended.get(120, TimeUnit.SECONDS)).isEqualTo("null");
        assertThat(sentLines()).containsExactly("1", "2", "3", "4");
        assertThat(tally.count().open()).isEqualTo(3);
    }

    private BatchFile batch() throws IOException {
        return BatchFile.copyOf(
                new ByteArrayInputStream(Files.readString(file).getBytes(StandardCharsets.UTF_8)),
                new BatchFile.Defaults("files", "fail", "me", "", List.of()));
    }

    @Test
    void does_not_send_a_line_again_whose_outcome_is_in_the_report() throws IOException {
        Path report = folder.resolve("report");
        kafka.attach(id -> {
            if (line(id).equals("1")) {
                return OutcomeTexts.json(OutcomeTexts.rejected(id, Reason.SOURCE_NOT_FOUND, "no"));
            }
            kafka.time().advance(Duration.ofMinutes(11));
            return null;
        });
        assertThat(run(1, "--report", report.toString()).code()).isEqualTo(3);
        String batch = sentIds().get(0).replaceAll("-1$", "");
        JsonNode reported = MAPPER.readTree(Files.readString(report));
        assertThat(reported.path("outcome").path("status").asText()).isEqualTo("rejected");
        assertThat(reported.path("batch").asText() + "-" + reported.path("line"))
                .isEqualTo(batch + "-1");
        assertThat(reported.path("source").asText()
                        + reported.path("destination").asText())
                .isEqualTo("/a/b");
        Files.writeString(report, "{\"batch\":\"" + batch + "\",\"li", StandardOpenOption.APPEND);

        kafka = new InMemoryKafka(0);
        kafka.attach(BatchCommandTest::completed);
        Ended ended = run("--report", report.toString());

        assertThat(sentLines()).containsExactly("2", "3");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out())
                .isEqualTo("line 1: rejected: source_not_found: no (request " + batch + "-1)\n"
                        + "3 renames: 2 completed, 1 rejected, 0 failed; 1 source_not_found (0.0 s)\n");
        kafka = new InMemoryKafka(0);
        assertThat(run("--report", report.toString())).isEqualTo(ended);
        assertThat(kafka.sent()).isEmpty();
    }

    @Test
    void a_report_of_another_batch_is_not_changed() throws IOException {
        Path report = Files.writeString(folder.resolve("report"), "{\"batch\":\"other\",\"line\":1}\n");

        Ended ended = run("--report", report.toString());

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).contains("line 1 of " + report + " is not an outcome of this batch (batch-");
        assertThat(Files.readString(report)).isEqualTo("{\"batch\":\"other\",\"line\":1}\n");
        assertThat(kafka.sent()).isEmpty();
    }
}
