package org.treerename.stack;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What to put in front of a command that refuses to run as root. Each wrapper gives way to the command (exec), so that
 * the process id stays the same.
 */
final class Unprivileged {
    /** A user namespace: root's files become the files of user 1000 in it. */
    static final List<String> USER_NAMESPACE = List.of("unshare", "-U", "--map-user=1000", "--map-group=1000");

    /**
     * Where user namespaces are off: nobody, with leave to reach root's files. The secure bit is for access(2), which Java
     * asks whether a file can be read, and which else leaves that leave aside.
     */
    static final List<String> NOBODY = List.of(
            "setpriv",
            "--reuid",
            "65534",
            "--regid",
            "65534",
            "--clear-groups",
            "--securebits",
            "+no_setuid_fixup",
            "--inh-caps",
            "+dac_override",
            "--ambient-caps",
            "+dac_override");

    private static final int PROBE_SECONDS = 10;

    private Unprivileged() {}

    /** The wrapper for this process's user and this machine; empty for a user who is not root. */
    static List<String> wrapper() {
        return wrapper(new UnixSystem().getUid() == 0, Unprivileged::succeeds);
    }

    static List<String> wrapper(boolean root, Predicate<List<String>> works) {
        if (!root) {
            return List.of();
        }
        return Stream.of(USER_NAMESPACE, NOBODY)
                .filter(wrapper -> works.test(
                        Stream.concat(wrapper.stream(), Stream.of("true")).toList()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Elasticsearch refuses to run as root, and neither "
                        + String.join(" ", USER_NAMESPACE) + " nor " + String.join(" ", NOBODY)
                        + " works here: start this as another user"));
    }

    private static boolean succeeds(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            if (process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS)) {
                return process.exitValue() == 0;
            }
            process.destroyForcibly();
            return false;
        } catch (IOException e) {
            return false; // there is no such command here
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while trying " + String.join(" ", command), e);
        }
    }
}
