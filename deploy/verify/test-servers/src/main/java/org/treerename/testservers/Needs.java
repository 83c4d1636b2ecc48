package org.treerename.testservers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test that needs installed programs or libraries. The build never installs these programs. If a program is
 * missing, the test is skipped, and {@code target/not-run.txt} of the test's module lists the test. If the system
 * property {@code require} contains the missing program, the test fails instead. Example:
 * {@code -Drequire=chromium,chromedriver,promtool}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeededTools.class)
public @interface Needs {

    /** The names of the programs, or of the Debian packages of Python libraries. */
    String[] value();
}
