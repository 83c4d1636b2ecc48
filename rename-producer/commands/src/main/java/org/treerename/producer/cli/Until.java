package org.treerename.producer.cli;

import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The event for which {@code rename mv} waits. */
enum Until {
    /** The commit. The documents move after the commit. */
    DECIDED,
    /** The outcome. The outcome arrives after the last document has moved. */
    COMPLETED;

    /** Converts the value of {@code --until}. */
    static final class Converter implements ITypeConverter<Until> {
        @Override
        public Until convert(String text) {
            return Arrays.stream(values())
                    .filter(until -> until.toString().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("must be decided or completed, was '" + text + "'"));
        }
    }

    /** Returns the value in the notation of {@code --until}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
