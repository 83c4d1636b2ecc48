package org.treerename.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Reads the version of the program from a resource that the build writes. */
record Version(String program) implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream resource = Objects.requireNonNull(Version.class.getResourceAsStream("version.properties"))) {
            properties.load(resource);
        }
        return new String[] {program + " " + properties.getProperty("version")};
    }
}
