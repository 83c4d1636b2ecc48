package org.treerename.crash;

import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The crash point of a gate, and the file that a test deletes to open the gate. Examples of the text form are {@code
 * BETWEEN_PAGES:2@/tmp/gate} and {@code BETWEEN_PAGES:2+@/tmp/gate}.
 *
 * @param andLater whether the gate also blocks each thread that reaches the point later ({@code +})
 */
record GateAt(CrashAt at, boolean andLater, Path file) {

    CrashPoints points(Gate gate) {
        return andLater ? CrashPoints.from(at, gate) : new CrashPoints(at, gate);
    }

    /** Parses the text: the crash point, {@code @}, and the file. */
    static final class Converter implements ITypeConverter<GateAt> {

        private final CrashAt.Converter points = new CrashAt.Converter();

        @Override
        public GateAt convert(String value) {
            int separator = value.indexOf('@');
            if (separator < 0 || separator == value.length() - 1) {
                throw new TypeConversionException(
                        "expected a crash point, @ and a file, as in BEFORE_MOVE:3@/tmp/gate, found \"" + value + "\"");
            }
            String at = value.substring(0, separator);
            boolean andLater = at.endsWith("+");
            return new GateAt(
                    points.convert(andLater ? at.substring(0, at.length() - 1) : at),
                    andLater,
                    Path.of(value.substring(separator + 1)));
        }
    }
}
