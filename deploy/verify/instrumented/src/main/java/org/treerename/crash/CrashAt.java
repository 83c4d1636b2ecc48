package org.treerename.crash;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The moment of an action: a process reaches a point for the n-th time. Examples of the text form are
 * {@code BEFORE_MOVE:3}, and {@code AFTER_COMMIT} for the first time.
 *
 * @param time the number n; 1 is the first time
 */
record CrashAt(CrashPoint point, int time) {

    CrashAt {
        if (time < 1) {
            throw new IllegalArgumentException("the number of a crash point must be at least 1, was " + time);
        }
    }

    /** Parses the text in upper or lower case. Reads {@code -} as {@code _}. */
    static final class Converter implements ITypeConverter<CrashAt> {

        private static final Pattern FORM = Pattern.compile("([A-Za-z_-]+)(?::([1-9]\\d{0,5}))?");

        @Override
        public CrashAt convert(String value) {
            Matcher matcher = FORM.matcher(value);
            if (!matcher.matches()) {
                throw new TypeConversionException(
                        "a crash point must be a name, or a name and a number, such as BEFORE_MOVE:3, found \"" + value
                                + "\"");
            }
            String name = matcher.group(1).toUpperCase(Locale.ROOT).replace('-', '_');
            CrashPoint point = Arrays.stream(CrashPoint.values())
                    .filter(known -> known.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("expected one of "
                            + Arrays.toString(CrashPoint.values()) + ", found \"" + matcher.group(1) + "\""));
            return new CrashAt(point, matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2)));
        }
    }
}
