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
        description = "Shows one dead letter: when it was put there, its headers, its key, and its value as text.",
        footer = {"", "Exit codes: 0 well, 2 wrong use, or there is none, 3 Kafka did not answer."})
final class DltShowCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "PARTITION@OFFSET",
            converter = LetterPlace.Converter.class,
            description = "Where it stands, as rename-admin dlt list tells it.")
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
