package org.treerename.janitor.admin;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.treerename.wire.DeadLetter;
import org.treerename.wire.KafkaDeadLetters;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where a dead letter stands, as {@code rename-admin dlt list} tells it: {@code 0@17}. */
record LetterPlace(int partition, long offset) {

    /**
     * The letter.
     *
     * @throws IllegalArgumentException if none stands there
     */
    DeadLetter in(KafkaDeadLetters letters) {
        return letters.at(partition, offset)
                .orElseThrow(() -> new IllegalArgumentException("there is no dead letter at " + this));
    }

    @Override
    public String toString() {
        return partition + "@" + offset;
    }

    /** Reads it. */
    static final class Converter implements ITypeConverter<LetterPlace> {

        private static final Pattern FORM = Pattern.compile("(\\d{1,9})@(\\d{1,18})");

        @Override
        public LetterPlace convert(String value) {
            Matcher matcher = FORM.matcher(value);
            if (!matcher.matches()) {
                throw new TypeConversionException(
                        "a dead letter is named by its partition and its offset, as in 0@17, found \"" + value + "\"");
            }
            return new LetterPlace(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)));
        }
    }
}
