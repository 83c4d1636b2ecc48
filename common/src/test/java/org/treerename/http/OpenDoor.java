package org.treerename.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.treerename.runtime.Health;

/**
 * A process with only a management server. The process ends when its standard input ends. So it does not run longer
 * than the process that started it.
 */
public final class OpenDoor {

    private OpenDoor() {}

    public static void main(String[] arguments) throws IOException {
        Health health = new Health();
        health.begun();
        try (ManagementServer server = ManagementServer.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), () -> "open 1\n", health)) {
            System.out.println("url " + server.url());
            System.in.readAllBytes();
        }
    }
}
