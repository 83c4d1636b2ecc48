package org.treerename.janitor.admin;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.treerename.janitor.deadletter.KafkaDeadLetters;
import org.treerename.kafka.DeadLetter;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The partition and offset of a dead letter, as {@code rename-admin dlt list} prints them, for example {@code 0@17}.
 */
record LetterPlace(int partition, long offset) {

    /**
     * Reads the dead letter at this position.
     *
     * @throws IllegalArgumentException if there is no dead letter at this position
     */
    DeadLetter in(KafkaDeadLetters letters) {
        return letters.at(partition, offset)
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no dead letter at " + this + "; rename-admin dlt list prints the positions"));
    }

    @Override
    public String toString() {
        return partition + "@" + offset;
    }

    /** Parses the position of a dead letter, such as {@code 0@17}. */
    static final class Converter implements ITypeConverter<LetterPlace> {

        private static final Pattern FORM = Pattern.compile("(\\d{1,9})@(\\d{1,18})");

        @Override
        public LetterPlace convert(String value) {
            Matcher matcher = FORM.matcher(value);
            if (!matcher.matches()) {
                throw new TypeConversionException(
                        "expected PARTITION@OFFSET of a dead letter, as in 0@17, found \"" + value + "\"");
            }
            return new LetterPlace(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)));
        }
    }
}
