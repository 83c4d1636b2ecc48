package org.treerename.protocol;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.ToIntBiFunction;
import tlc2.TLC;
import tlc2.output.EC;
import util.SimpleFilenameToStream;
import util.ToolIO;

/**
 * Runs TLC once and returns the exit code. Unlike {@link TLC#main}, this class does not end the JVM. Each run needs a
 * new class loader (see {@link TlcSeries}).
 */
public final class TlcRun implements ToIntBiFunction<Path, String> {

    private static final int BAD_ARGUMENTS = 1;

    @Override
    public int applyAsInt(Path place, String model) {
        try (PrintStream log = new PrintStream(place.resolve(ModelChecker.LOG).toFile(), StandardCharsets.UTF_8)) {
            ToolIO.out = log;
            ToolIO.err = log;
            TLC tlc = new TLC();
            if (!tlc.handleParameters(ModelChecker.arguments(place, model, 1))) {
                return BAD_ARGUMENTS;
            }
            tlc.setResolver(new SimpleFilenameToStream(place.toString()));
            return EC.ExitStatus.errorConstantToExitStatus(tlc.process());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
