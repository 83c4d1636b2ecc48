package org.treerename.producer.cli;

import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What {@code rename mv} waits for. */
enum Until {
    /** The commit, after which the documents move. */
    DECIDED,
    /** The outcome, after the last document has moved. */
    COMPLETED;

    /** Reads the option. */
    static final class Converter implements ITypeConverter<Until> {
        @Override
        public Until convert(String text) {
            return Arrays.stream(values())
                    .filter(until -> until.toString().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("decided or completed, found '" + text + "'"));
        }
    }

    /** As the option takes it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
