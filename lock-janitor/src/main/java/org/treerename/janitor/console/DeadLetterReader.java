package org.treerename.janitor.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.treerename.janitor.console.Operator.Answer;
import org.treerename.janitor.deadletter.KafkaDeadLetters;
import org.treerename.janitor.deadletter.Replay;
import org.treerename.kafka.DeadLetter;
import org.treerename.kafka.KafkaSender;
import org.treerename.runtime.Printable;
import org.treerename.runtime.Time;

/** Reads and replays the dead letters in Kafka. Opens a new connection for each call, because calls are rare. */
final class DeadLetterReader {

    /** The maximum number of dead letters that are shown. If there are more, the newest dead letters are shown. */
    static final int MOST = 200;

    /** The maximum number of characters that are shown of the value of a dead letter. */
    private static final int SHOWN = 8_192;

    /** The position of a dead letter, in the format of the command line: {@code 0@17}. */
    private static final Pattern PLACE = Pattern.compile("(\\d{1,9})@(\\d{1,18})");

    private final Supplier<KafkaDeadLetters> letters;
    private final Supplier<KafkaSender> sender;
    private final String requests;
    private final Time time;

    /**
     * @param letters the function that connects to the topic of the dead letters; each connection is closed after one
     *     use
     * @param sender the function that connects a sender of records; each sender is closed after one use
     * @param requests the topic of the requests
     */
    DeadLetterReader(Supplier<KafkaDeadLetters> letters, Supplier<KafkaSender> sender, String requests, Time time) {
        this.letters = letters;
        this.sender = sender;
        this.requests = requests;
        this.time = time;
    }

    /** Returns the newest dead letters, sorted from the newest to the oldest. */
    List<JsonNode> all() {
        List<DeadLetter> found = new ArrayList<>();
        try (KafkaDeadLetters open = letters.get()) {
            open.youngest(MOST, found::add);
        }
        return found.stream()
                .sorted(Comparator.comparing(DeadLetter::at).reversed())
                .limit(MOST)
                .map(DeadLetterReader::json)
                .toList();
    }

    private static JsonNode json(DeadLetter letter) {
        String text = letter.text();
        return KafkaDeadLetters.json(letter).put("text", text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text);
    }

    Answer replay(String place) {
        Matcher parts = PLACE.matcher(place);
        if (!parts.matches()) {
            return new Answer(
                    false,
                    "expected PARTITION@OFFSET of a dead letter, as in 0@17, found \"" + Printable.of(place) + "\"");
        }
        Optional<DeadLetter> found;
        try (KafkaDeadLetters open = letters.get()) {
            found = open.at(Integer.parseInt(parts.group(1)), Long.parseLong(parts.group(2)));
        }
        return found.map(this::replay)
                .orElseGet(() -> new Answer(false, "there is no dead letter at " + place + "; reload the page"));
    }

    private Answer replay(DeadLetter letter) {
        // if the dead letter has no key, the new key has the default depth of rename-admin dlt replay
        return switch (Replay.of(letter, 1)) {
            case Replay.Impossible impossible ->
                new Answer(false, letter.place() + " cannot be replayed: " + impossible.why());
            case Replay.Possible possible -> {
                try (KafkaSender open = sender.get()) {
                    open.send(possible.message(requests, "/lock-janitor", time.now()));
                }
                yield new Answer(
                        true,
                        letter.place() + " was sent again as "
                                + possible.request().requestId());
            }
        };
    }
}
