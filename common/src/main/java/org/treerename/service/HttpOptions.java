package org.treerename.service;

import java.net.InetSocketAddress;
import picocli.CommandLine.Option;

/** The address at which a process reports its metrics and its health over HTTP. */
public final class HttpOptions {

    private static final int LARGEST = 65_535;

    @Option(
            names = "--http-host",
            defaultValue = "127.0.0.1",
            description = "The address of /metrics, /health/live and /health/ready.")
    private String host = "";

    @Option(
            names = "--http-port",
            defaultValue = "0",
            description =
                    "The port of /metrics, /health/live and /health/ready, up to 65535. 0 selects a free port. The"
                            + " log contains the selected port.")
    private int port;

    InetSocketAddress address() {
        if (port < 0 || port > LARGEST) {
            throw new IllegalArgumentException("--http-port must be 0 to " + LARGEST + ", found " + port);
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("--http-host must be an address of this machine, was " + host);
        }
        return address;
    }
}
