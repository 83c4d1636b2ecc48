package org.treerename.janitor.admin;

import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.treerename.runtime.Printable;
import org.treerename.runtime.Time;
import org.treerename.runtime.UuidV7;
import org.treerename.wire.DeadLetter;
import org.treerename.wire.KafkaDeadLetters;
import org.treerename.wire.KafkaSender;
import org.treerename.wire.Replay;
import org.treerename.wire.RequestKey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rename-admin dlt replay}. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = {
            "Sends the requests of dead letters again. Each new request has a new request id and the key of the old"
                    + " request. Its field replay_of contains the old request id.",
            "A dead letter remains in its topic. A second replay of a dead letter uses the request id of the first"
                    + " replay. So the rename is executed once, as long as the journal has its entry. With --again,"
                    + " each replay has another request id."
        },
        footer = {
            "",
            "Exit codes: 0 all requests are sent; 1 some dead letters cannot be replayed; 2 wrong use or a dead"
                    + " letter does not exist; 3 Kafka did not answer."
        })
final class DltReplayCommand implements Callable<Integer> {

    private final Time time;
    private final UuidV7 ids;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "PARTITION@OFFSET",
            converter = LetterPlace.Converter.class,
            description = "The positions of the dead letters, as rename-admin dlt list prints them.")
    private List<LetterPlace> places = new ArrayList<>();

    @Mixin
    private KafkaReach kafka = new KafkaReach();

    @Option(names = "--all", description = "Replay all dead letters that exist now.")
    private boolean all;

    @Option(names = "--yes", description = "Confirm --all. This option is not needed with --dry-run.")
    private boolean yes;

    @Option(names = "--again", description = "Replay dead letters that were replayed before, under new request ids.")
    private boolean again;

    @Option(names = "--dry-run", description = "Print the requests, and send nothing.")
    private boolean dryRun;

    @Option(
            names = "--ordering-depth",
            paramLabel = "N",
            description = "For a request without a key: the number of segments at the beginning of the source that"
                    + " its new key contains, 0 to 10 (default: 1).")
    private int orderingDepth = RequestKey.DEFAULT_DEPTH;

    DltReplayCommand(Time time) {
        this.time = time;
        this.ids = new UuidV7(time, new SecureRandom());
    }

    @Override
    public Integer call() {
        if (all == !places.isEmpty()) {
            throw new IllegalArgumentException("expected either PARTITION@OFFSET of dead letters or --all");
        }
        if (all && !yes && !dryRun) {
            throw new IllegalArgumentException(
                    "--all sends every request again: confirm it with --yes, or print the requests with --dry-run");
        }
        if (orderingDepth < 0 || orderingDepth > 10) {
            throw new IllegalArgumentException("--ordering-depth must be 0 to 10, was " + orderingDepth);
        }
        List<DeadLetter> chosen = new ArrayList<>();
        try (KafkaDeadLetters letters = kafka.deadLetters()) {
            if (all) {
                letters.all(chosen::add);
            }
            // read all dead letters before the first replay, so that a wrong position ends the command
            // without any replay
            places.forEach(place -> chosen.add(place.in(letters)));
        }
        boolean isAllSent = true;
        try (KafkaSender sender = kafka.sender()) {
            for (DeadLetter letter : chosen) {
                isAllSent &= replay(letter, sender);
            }
        }
        return isAllSent ? ExitCodes.WELL : ExitCodes.NOT_WELL;
    }

    private boolean replay(DeadLetter letter, KafkaSender sender) {
        PrintWriter out = spec.commandLine().getOut();
        Replay replay =
                again ? Replay.of(letter, ids.next().toString(), orderingDepth) : Replay.of(letter, orderingDepth);
        return switch (replay) {
            case Replay.Impossible impossible -> {
                out.println(letter.place() + " cannot be replayed: " + Printable.of(impossible.why()));
                yield false;
            }
            case Replay.Possible possible -> {
                if (!dryRun) {
                    sender.send(possible.message(kafka.installation().requests(), "/rename-admin", time.now()));
                }
                String sent = dryRun
                        ? " would be sent again: "
                        : " was sent again as " + possible.request().requestId() + ": ";
                out.println(Printable.of(letter.place() + sent + possible));
                yield true;
            }
        };
    }
}
