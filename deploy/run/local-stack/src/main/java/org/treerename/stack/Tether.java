package org.treerename.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * The first main class of a child. This class calls the real main class, and ends the child when the parent dies.
 *
 * <p>The child's standard input is a pipe from the parent. The parent writes nothing into the pipe, and keeps the pipe
 * open until the parent dies. If the parent dies, even by {@code kill -9}, the kernel closes the pipe. Then the child
 * reads the end of the pipe and halts. A halt runs no shutdown hook. For a graceful shutdown, send SIGTERM.
 *
 * <p>Limit: a child that is stopped by SIGSTOP reads nothing. Such a child ends only after SIGCONT or SIGKILL.
 *
 * <p>This class uses only classes of the JDK, because it is added to the class path of every child.
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

        Method main = Class.forName(arguments[0], true, ClassLoader.getSystemClassLoader())
                .getMethod("main", String[].class);
        // the class may be package-private, although its method is public
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static void haltAtEndOf(InputStream parent) {
        try {
            parent.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // a failed read means the same as the end of the pipe: the parent is dead
        } finally {
            Runtime.getRuntime().halt(1);
        }
    }
}
