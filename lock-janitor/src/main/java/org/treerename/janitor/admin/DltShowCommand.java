package org.treerename.janitor.admin;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.treerename.runtime.Printable;
import org.treerename.wire.DeadLetter;
import org.treerename.wire.KafkaDeadLetters;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rename-admin dlt show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Shows one dead letter: the time at which it was written, its key, its headers, and its value as"
                + " text.",
        footer = {"", "Exit codes: 0 success; 2 wrong use or the dead letter does not exist; 3 Kafka did not answer."})
final class DltShowCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "PARTITION@OFFSET",
            converter = LetterPlace.Converter.class,
            description = "The position of the dead letter, as rename-admin dlt list prints it.")
    private LetterPlace place = new LetterPlace(0, 0);

    @Mixin
    private KafkaReach kafka = new KafkaReach();

    @Override
    public Integer call() {
        DeadLetter letter;
        try (KafkaDeadLetters letters = kafka.deadLetters()) {
            letter = place.in(letters);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("at: " + letter.at());
        out.println("key: " + Printable.of(letter.key().orElse("(none)")));
        letter.headers().forEach(header -> out.println(Printable.of(header.getKey() + ": " + header.getValue())));
        out.println();
        out.println(Printable.lines(letter.text()));
        return ExitCodes.WELL;
    }
}
