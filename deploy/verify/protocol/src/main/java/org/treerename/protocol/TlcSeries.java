package org.treerename.protocol;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ToIntBiFunction;

/**
 * Runs TLC several times in one JVM. TLC stores its data about a model in static fields. So each run has a separate
 * class loader, which loads TLC again. {@link ModelChecker} starts this program.
 */
public final class TlcSeries {

    /** The name of the file with TLC's exit code, in the folder of a run. */
    static final String EXIT_CODE = "exit-code";

    private TlcSeries() {}

    /**
     * Runs TLC for each pair of arguments.
     *
     * @param arguments two arguments for each run: the folder of the run, and the name of the model in this folder
     */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        URL[] classPath = classPath();
        for (int i = 0; i < arguments.length; i += 2) {
            Path place = Path.of(arguments[i]);
            // TLC unpacks its standard modules into the folder for temporary files, so each run needs a separate folder
            System.setProperty("java.io.tmpdir", place.toString());
            try (URLClassLoader newLoader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
                @SuppressWarnings("unchecked") // the class loader loads TlcRun again, so TlcRun is another type
                ToIntBiFunction<Path, String> tlc = (ToIntBiFunction<Path, String>) newLoader
                        .loadClass(TlcRun.class.getName())
                        .getConstructor()
                        .newInstance();
                int code = tlc.applyAsInt(place, arguments[i + 1]);
                Files.writeString(place.resolve(EXIT_CODE), String.valueOf(code));
            }
        }
        // without the exit, threads of TLC would keep the JVM running
        System.exit(0);
    }

    private static URL[] classPath() throws MalformedURLException {
        String[] places = System.getProperty("java.class.path").split(File.pathSeparator, -1);
        URL[] urls = new URL[places.length];
        for (int i = 0; i < places.length; i++) {
            urls[i] = Path.of(places[i]).toUri().toURL();
        }
        return urls;
    }
}
