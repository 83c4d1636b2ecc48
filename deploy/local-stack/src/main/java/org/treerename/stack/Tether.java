package org.treerename.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * The main class that starts the main class of a child. It ends the child after the death of the parent.
 *
 * <p>The parent holds the other end of the child's standard input. It writes nothing into it, and keeps it open as long as it lives. If the parent
 * dies, also by {@code kill -9}, the kernel closes that end. Then the child reads the end of the file and halts. A halt runs no shutdown hook.
 * SIGTERM requests an orderly end.
 *
 * <p>Limit: a child that is stopped (SIGSTOP) reads nothing. It ends only after it is continued or killed.
 *
 * <p>This class uses only the JDK, because it is added to the class path of any program.
 */
public final class Tether {
    private Tether() {}

    /**
     * Runs a main class.
     *
     * @param arguments the name of the real main class, then its arguments
     */
    public static void main(String[] arguments) throws Throwable {
        if (arguments.length == 0) {
            throw new IllegalArgumentException("Expected the name of a main class as the first argument, found none");
        }
        InputStream parent = System.in;
        System.setIn(InputStream.nullInputStream());
        Thread.ofPlatform().name("tether").daemon().start(() -> haltAtEndOf(parent));

        Class<?> main = Class.forName(arguments[0], true, ClassLoader.getSystemClassLoader());
        try {
            main.getMethod("main", String[].class)
                    .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static void haltAtEndOf(InputStream parent) {
        try {
            parent.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // if the pipe cannot be read any more, the parent is dead as well
        } finally {
            Runtime.getRuntime().halt(1);
        }
    }
}
