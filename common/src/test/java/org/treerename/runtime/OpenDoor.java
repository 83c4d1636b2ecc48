package org.treerename.runtime;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** A process with a door and nothing else; its metrics are how many threads it has, virtual ones too. */
public final class OpenDoor {

    private static final Pattern THREAD = Pattern.compile("(?m)^#\\d+ ");

    private OpenDoor() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (HttpDoor door = HttpDoor.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                () -> "threads " + threads() + "\n",
                new Health())) {
            System.out.println("url " + door.url());
            Thread.currentThread().join();
        }
    }

    private static long threads() {
        try {
            Path folder = Files.createTempDirectory("open-door");
            Path dump = folder.resolve("threads").toAbsolutePath();
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
            long threads = THREAD.matcher(Files.readString(dump)).results().count();
            Files.delete(dump);
            Files.delete(folder);
            return threads;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
