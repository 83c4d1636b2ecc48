package org.treerename.janitor.admin;

import java.util.concurrent.Callable;
import org.treerename.cli.Output;
import org.treerename.janitor.deadletter.KafkaDeadLetters;
import org.treerename.kafka.DeadLetter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code rename-admin dlt list}: prints one line for each dead letter. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description =
                "Lists the dead letters. For each dead letter, the command prints the partition and offset, the time,"
                        + " the request id (if the dead letter has one), and the reason.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "2:wrong use",
            "3:no answer from Kafka, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class DltListCommand implements Callable<Integer> {

    @Mixin
    private KafkaReach kafka = new KafkaReach();

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        Output.Rows rows = output.list("PLACE", "AT", "REQUEST", "REASON");
        try (KafkaDeadLetters letters = kafka.deadLetters()) {
            letters.all(letter -> rows.add(
                    KafkaDeadLetters.json(letter),
                    letter.place(),
                    letter.at(),
                    letter.requestId().orElse("(no request id)"),
                    reason(letter)));
        }
        rows.endOr("no dead letter was found");
        return ExitCodes.WELL;
    }

    private static String reason(DeadLetter letter) {
        String message = letter.header(DeadLetter.MESSAGE);
        return letter.header(DeadLetter.REASON) + (message.isEmpty() ? "" : ": " + message);
    }
}
