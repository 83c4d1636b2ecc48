package org.treerename.runtime;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A process with only a management server. */
public final class OpenDoor {

    private OpenDoor() {}

    public static void main(String[] arguments) throws InterruptedException {
        Health health = new Health();
        health.begun();
        try (ManagementServer server = ManagementServer.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), () -> "open 1\n", health)) {
            System.out.println("url " + server.url());
            Thread.currentThread().join();
        }
    }
}
