package org.treerename.janitor.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.treerename.runtime.Printable;
import org.treerename.wire.DeadLetter;
import org.treerename.wire.KafkaDeadLetters;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rename-admin dlt list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description =
                "Lists the dead letters. For each dead letter, the command prints the partition and offset, the time,"
                        + " the request id if it has one, and the reason.",
        footer = {"", "Exit codes: 0 success; 2 wrong use; 3 Kafka did not answer."})
final class DltListCommand implements Callable<Integer> {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private KafkaReach kafka = new KafkaReach();

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (KafkaDeadLetters letters = kafka.deadLetters()) {
            letters.all(letter -> out.println(json ? json(letter) : line(letter)));
        }
        return ExitCodes.WELL;
    }

    private static String line(DeadLetter letter) {
        String message = letter.header(DeadLetter.MESSAGE);
        String reason = letter.header(DeadLetter.REASON) + (message.isEmpty() ? "" : ": " + message);
        return "%-8s %s  %s  %s"
                .formatted(
                        letter.place(),
                        letter.at(),
                        Printable.of(letter.requestId().orElse("(no request id)")),
                        Printable.of(reason));
    }

    private static String json(DeadLetter letter) {
        try {
            return MAPPER.writeValueAsString(MAPPER.createObjectNode()
                    .put("place", letter.place())
                    .put("at", letter.at().toString())
                    .put("request_id", letter.requestId().orElse(null))
                    .put("reason", letter.header(DeadLetter.REASON))
                    .put("message", letter.header(DeadLetter.MESSAGE)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write a dead letter as JSON", e);
        }
    }
}
