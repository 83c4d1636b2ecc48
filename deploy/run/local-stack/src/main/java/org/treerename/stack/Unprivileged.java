package org.treerename.stack;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The wrappers for a command that refuses to run as root. Each wrapper replaces itself with the command (exec), so the
 * process id does not change.
 */
final class Unprivileged {
    /** A user namespace, in which root's files belong to user 1000. */
    static final List<String> USER_NAMESPACE = List.of("unshare", "-U", "--map-user=1000", "--map-group=1000");

    /**
     * The user {@code nobody} with the capability to read and write root's files, for machines without user namespaces.
     * Java calls access(2) to check whether a file can be read. Without {@code no_setuid_fixup}, access(2) ignores this
     * capability.
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

    /** Returns the wrapper for the user of this process on this machine; empty if the user is not root. */
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
                .orElseThrow(() ->
                        new IllegalStateException("Elasticsearch refuses to run as root. On this machine, neither \""
                                + String.join(" ", USER_NAMESPACE) + "\" nor \"" + String.join(" ", NOBODY)
                                + "\" works: run this program as another user"));
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
            return false; // the command does not exist on this machine
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while running " + String.join(" ", command), e);
        }
    }
}
