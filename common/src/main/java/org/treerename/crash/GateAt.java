package org.treerename.crash;

import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where a gate is, and the file that a test deletes to open it. Written {@code BETWEEN_PAGES:2@/tmp/gate}. */
record GateAt(CrashAt at, Path file) {

    /** Reads both, with {@code @} between them. */
    static final class Converter implements ITypeConverter<GateAt> {

        private final CrashAt.Converter points = new CrashAt.Converter();

        @Override
        public GateAt convert(String value) {
            int separator = value.indexOf('@');
            if (separator < 0 || separator == value.length() - 1) {
                throw new TypeConversionException(
                        "expected a crash point, @ and a file, as in BEFORE_MOVE:3@/tmp/gate, found \"" + value + "\"");
            }
            return new GateAt(points.convert(value.substring(0, separator)), Path.of(value.substring(separator + 1)));
        }
    }
}
