package org.treerename.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * The main class in front of a child's own main class: it ends the child when the parent is gone.
 *
 * <p>The parent holds the other end of the child's standard input, writes nothing into it, and keeps it open for as long
 * as it lives. However the parent dies, {@code kill -9} included, the kernel closes that end, the child reads the end of
 * file here and halts. Halting runs no shutdown hook: an orderly end is asked for by SIGTERM.
 *
 * <p>Not guaranteed: a child that is stopped (SIGSTOP) reads nothing, and goes only when it is continued or killed.
 *
 * <p>Knows the JDK alone, since it is put on any child's class path.
 */
public final class Tether {
    private Tether() {}

    /** Arguments: the real main class, then its own arguments. */
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
            // a pipe that cannot be read any more has no parent at its other end either
        } finally {
            Runtime.getRuntime().halt(1);
        }
    }
}
