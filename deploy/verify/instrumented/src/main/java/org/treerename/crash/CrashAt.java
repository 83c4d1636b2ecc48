package org.treerename.crash;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The moment of an action: the n-th time that a point is reached. The text form is {@code AFTER_COMMIT} or
 * {@code BEFORE_MOVE:3}.
 *
 * @param time the number n, which begins at 1
 */
record CrashAt(CrashPoint point, int time) {

    CrashAt {
        if (time < 1) {
            throw new IllegalArgumentException("the number of a crash point must be at least 1, was " + time);
        }
    }

    /** Parses the text in upper or lower case. {@code -} is read as {@code _}. */
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
