package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.treerename.cli.Output;
import org.treerename.janitor.deadletter.KafkaDeadLetters;
import org.treerename.janitor.deadletter.Replay;
import org.treerename.kafka.DeadLetter;
import org.treerename.kafka.KafkaSender;
import org.treerename.kafka.RequestKey;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.runtime.Time;
import org.treerename.runtime.UuidV7;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code rename-admin dlt replay}: sends the requests of dead letters again, under new ids. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = {
            "Sends the requests of dead letters again. Each new request has a new request id and the key of the old"
                    + " request. In the new request, the field replay_of contains the old request id.",
            "A dead letter remains in its topic. A second replay of a dead letter uses the request id of the first"
                    + " replay. So the rename is executed only once, as long as the journal keeps the entry of this"
                    + " request. With --again, each replay has a new request id."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all requests are sent",
            "1:some dead letters cannot be replayed",
            "2:wrong use or a dead letter does not exist",
            "3:no answer from Kafka, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class DltReplayCommand implements Callable<Integer> {

    private final Time time;
    private final UuidV7 ids;

    @Parameters(
            paramLabel = "PARTITION@OFFSET",
            converter = LetterPlace.Converter.class,
            description = "The positions of the dead letters, as rename-admin dlt list prints them.")
    private List<LetterPlace> places = new ArrayList<>();

    @Mixin
    private KafkaReach kafka = new KafkaReach();

    @Mixin
    private Output output = new Output();

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
            description = "For a request without a key: the new key contains this number of segments from the"
                    + " beginning of the source, 0 to 10 (default: 1).")
    private int orderingDepth = RequestKey.DEFAULT_DEPTH;

    DltReplayCommand(Time time) {
        this.time = time;
        this.ids = new UuidV7(time, new SecureRandom());
    }

    @Override
    public Integer call() {
        if (all == !places.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected either PARTITION@OFFSET of dead letters or --all, found " + (all ? "both" : "neither"));
        }
        if (all && !yes && !dryRun) {
            throw new IllegalArgumentException(
                    "--all sends the requests of all dead letters again; confirm --all with --yes, or print the"
                            + " requests with --dry-run");
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
        Output.Rows rows = output.list();
        try (KafkaSender sender = kafka.sender()) {
            for (DeadLetter letter : chosen) {
                isAllSent &= replay(letter, sender, rows);
            }
        }
        rows.end();
        return isAllSent ? ExitCodes.WELL : ExitCodes.NOT_WELL;
    }

    private boolean replay(DeadLetter letter, KafkaSender sender, Output.Rows rows) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("place", letter.place());
        Replay replay =
                again ? Replay.of(letter, ids.next().toString(), orderingDepth) : Replay.of(letter, orderingDepth);
        return switch (replay) {
            case Replay.Impossible impossible -> {
                rows.add(
                        json.put("sent", false).put("problem", impossible.why()),
                        letter.place() + " cannot be replayed: " + impossible.why());
                yield false;
            }
            case Replay.Possible possible -> {
                RenameRequest request = possible.request();
                if (!dryRun) {
                    sender.send(possible.message(kafka.installation().requests(), "/rename-admin", time.now()));
                    json.put("request_id", request.requestId());
                }
                String sent = dryRun ? " would be sent again: " : " was sent again as " + request.requestId() + ": ";
                rows.add(
                        json.put("sent", !dryRun)
                                .put("namespace", request.namespace())
                                .put("source", request.source())
                                .put("destination", request.destination())
                                .put("replay_of", request.replayOf()),
                        letter.place() + sent + possible);
                yield true;
            }
        };
    }
}
