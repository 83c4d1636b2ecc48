package org.treerename.producer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.producer.OutcomeTexts;
import org.treerename.producer.PeerWorker;
import org.treerename.request.Reason;
import org.treerename.testservers.TestServers;

/** Tests the producer's command line as a separate process with a real Kafka. */
@Timeout(120)
class MainIT {

    private static final int TERMINATED = 143;

    private final String servers = TestServers.kafkaBootstrapServers();
    private final String requestId = "é-" + UUID.randomUUID();

    @TempDir
    private Path folder;

    private PeerWorker worker;

    private record Ended(int code, String out, String err) {}

    @BeforeEach
    void startWorker() throws Exception {
        worker = new PeerWorker(servers);
    }

    @AfterEach
    void stopWorker() throws Exception {
        worker.close();
    }

    @Test
    void prints_one_line_about_a_completed_rename() throws Exception {
        worker.answer(id -> OutcomeTexts.json(OutcomeTexts.completed(id, 5)));

        Ended ended = run("mv", "/ä", "/b", "--request-id", requestId);

        assertThat(ended.err()).isEmpty();
        assertThat(ended.out())
                .matches("renamed /ä to /b: 5 documents moved \\(request " + requestId + ", \\d+\\.\\d s\\)\n");
        assertThat(ended.code()).isZero();
    }

    @Test
    void a_rejected_rename_ends_with_exit_code_1_and_prints_the_outcome_unchanged_as_json() throws Exception {
        String outcome = OutcomeTexts.json(OutcomeTexts.rejected(requestId, Reason.DESTINATION_EXISTS, "/ä exists"))
                .replace("{", "{  \"later\":\"ü\",");
        worker.answer(id -> outcome);

        Ended ended = run("mv", "/a", "/ä", "--request-id", requestId, "--output=json");

        assertThat(ended).isEqualTo(new Ended(1, outcome + "\n", ""));
    }

    @Test
    void without_waiting_prints_the_id_when_kafka_has_the_request() throws Exception {
        Ended ended = run("mv", "/a", "/b", "--no-wait");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
        assertThat(worker.request(ended.out().strip()).value()).isNotEmpty();
    }

    @Test
    void a_timeout_ends_with_exit_code_3_and_the_same_request_returns_the_outcome_later() throws Exception {
        Ended ended = run("mv", "/a", "/b", "--request-id", requestId, "--timeout", "1s");

        assertThat(ended)
                .isEqualTo(new Ended(
                        3,
                        "",
                        "no outcome within 1s; request " + requestId + " may still be processed; send the same"
                                + " request with --request-id '" + requestId
                                + "' to wait again; the request is processed only once; to see whether it waits, moves or"
                                + " is parked, run rename status '" + requestId
                                + "'; to list the live workers, run rename-admin processes\n"));

        worker.answer(id -> OutcomeTexts.json(OutcomeTexts.completed(id, 5)));
        assertThat(run("mv", "/a", "/b", "--request-id", requestId).code()).isZero();
    }

    @Test
    void an_unreachable_kafka_ends_with_exit_code_3_and_one_sentence() throws Exception {
        Ended ended = run("mv", "/a", "/b", "--kafka-bootstrap-servers", "127.0.0.1:1");

        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.err()).startsWith("cannot connect to Kafka at 127.0.0.1:1: ");
        assertThat(ended.err().lines()).hasSize(1);
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void prints_the_request_id_when_a_signal_ends_the_waiting() throws Exception {
        Process process = begin("mv", "/a", "/b", "--request-id", requestId);
        worker.request(requestId);

        process.destroy();

        assertThat(process.waitFor()).isEqualTo(TERMINATED);
        assertThat(Files.readString(folder.resolve("err")))
                .startsWith("interrupted before the outcome; request " + requestId + " may still be processed");
    }

    private Ended run(String... arguments) throws Exception {
        Process process = begin(arguments);
        String out;
        try (InputStream stream = process.getInputStream()) {
            out = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
        return new Ended(process.waitFor(), out, Files.readString(folder.resolve("err")));
    }

    private Process begin(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(folder.resolve("err").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("TREE_RENAME_"));
        builder.environment().put("KAFKA_BOOTSTRAP_SERVERS", servers);
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder.start();
    }
}
