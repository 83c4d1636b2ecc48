package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.treerename.cli.Output;
import org.treerename.janitor.deadletter.KafkaDeadLetters;
import org.treerename.kafka.DeadLetter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code rename-admin dlt show}: prints the key, the headers and the value of one dead letter. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Shows one dead letter: the time at which it was written, its key, its headers, and its value as"
                + " text.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "2:wrong use or the dead letter does not exist",
            "3:no answer from Kafka, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class DltShowCommand implements Callable<Integer> {

    @Parameters(
            index = "0",
            paramLabel = "PARTITION@OFFSET",
            converter = LetterPlace.Converter.class,
            description = "The position of the dead letter, as rename-admin dlt list prints it.")
    private LetterPlace place = new LetterPlace(0, 0);

    @Mixin
    private KafkaReach kafka = new KafkaReach();

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        DeadLetter letter;
        try (KafkaDeadLetters letters = kafka.deadLetters()) {
            letter = place.in(letters);
        }
        DeadLetter found = letter;
        output.object(json(found), () -> lines(found));
        return ExitCodes.WELL;
    }

    private static List<String> lines(DeadLetter letter) {
        List<String> lines = new ArrayList<>();
        lines.add("at: " + letter.at());
        lines.add("key: " + letter.key().orElse("(none)"));
        letter.headers().forEach(header -> lines.add(header.getKey() + ": " + header.getValue()));
        lines.add("");
        letter.text().lines().forEach(lines::add);
        return lines;
    }

    private static ObjectNode json(DeadLetter letter) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("place", letter.place())
                .put("at", letter.at().toString())
                .put("key", letter.key().orElse(null));
        ArrayNode headers = json.putArray("headers");
        letter.headers()
                .forEach(header ->
                        headers.addObject().put("name", header.getKey()).put("value", header.getValue()));
        return json.put("value", letter.text());
    }
}
