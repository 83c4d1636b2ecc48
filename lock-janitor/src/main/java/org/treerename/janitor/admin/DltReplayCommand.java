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
            "Sends the requests of dead letters again. Each gets another request id, keeps its key, and has the old request id in"
                    + " replay_of.",
            "A dead letter stays in its topic. If it is replayed twice, both requests have the same request id, so the rename is"
                    + " executed once, as long as the journal has its entry. --again selects a new id."
        },
        footer = {
            "",
            "Exit codes: 0 all are sent, 1 some cannot be replayed, 2 wrong use, or no such dead letter, 3 Kafka did not answer."
        })
final class DltReplayCommand implements Callable<Integer> {

    private final Time time;
    private final UuidV7 ids;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "PARTITION@OFFSET",
            converter = LetterPlace.Converter.class,
            description = "The dead letters, as in rename-admin dlt list.")
    private List<LetterPlace> places = new ArrayList<>();

    @Mixin
    private KafkaReach kafka = new KafkaReach();

    @Option(names = "--all", description = "Replay all dead letters that exist now.")
    private boolean all;

    @Option(names = "--yes", description = "Confirms --all. It is not needed with --dry-run.")
    private boolean yes;

    @Option(
            names = "--again",
            description = "Replay dead letters again that were replayed before, under new request ids.")
    private boolean again;

    @Option(names = "--dry-run", description = "Print what would be sent, and send nothing.")
    private boolean dryRun;

    @Option(
            names = "--ordering-depth",
            paramLabel = "N",
            description = "How many first segments of the source make the key of a request that had no key, 0 to 10"
                    + " (default: 1).")
    private int orderingDepth = RequestKey.DEFAULT_DEPTH;

    DltReplayCommand(Time time) {
        this.time = time;
        this.ids = new UuidV7(time, new SecureRandom());
    }

    @Override
    public Integer call() {
        if (all == !places.isEmpty()) {
            throw new IllegalArgumentException("give either PARTITION@OFFSET of dead letters or --all");
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
            // before the first one is sent, so that a wrong position ends the command without any replay
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
                    sender.send(possible.message("/rename-admin", time.now()));
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
