package org.treerename.endtoend;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The open TCP connections of a process, read from Linux's {@code /proc}.
 *
 * @param ends the ports of each connection
 */
record OpenSockets(Set<Ends> ends) {

    /** The ports of both ends of a connection on this machine. */
    record Ends(int local, int remote) {}

    private static final int HEXADECIMAL = 16;
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int INODE = 9;

    static OpenSockets of(long pid) throws IOException {
        Set<String> own = inodes(pid);
        Set<Ends> ends = new HashSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc/net", table))) {
                String[] columns = line.strip().split(" +", -1);
                if (own.contains(columns[INODE])) {
                    ends.add(new Ends(port(columns[LOCAL]), port(columns[REMOTE])));
                }
            }
        }
        return new OpenSockets(ends);
    }

    private static Set<String> inodes(long pid) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc", String.valueOf(pid), "fd"))) {
            for (Path file : files) {
                String target = target(file);
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        }
        return inodes;
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            return ""; // the process closed the file after the folder was listed
        }
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), HEXADECIMAL);
    }
}
