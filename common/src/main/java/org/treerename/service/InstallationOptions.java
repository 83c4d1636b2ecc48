package org.treerename.service;

import org.treerename.installation.Installation;
import picocli.CommandLine.Option;

/** The option for the prefix of the installation. Every program has this option. */
public final class InstallationOptions {

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            description = "The prefix of the installation: 1 to 63 characters of a-z, 0-9 and hyphens. The names of the"
                    + " topics, of the consumer group and of the control index begin with the prefix and a dot. All"
                    + " programs of an installation must have the same prefix. Without this option, the names have no"
                    + " prefix.")
    private String prefix = "";

    /**
     * Returns the installation with this prefix.
     *
     * @throws IllegalArgumentException if the prefix is not valid
     */
    public Installation installation() {
        return new Installation(prefix);
    }
}
