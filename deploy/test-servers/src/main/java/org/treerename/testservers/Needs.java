package org.treerename.testservers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test that needs programs of this machine. The build never installs a program. Where a program is missing the test is
 * skipped, and {@code target/not-run.txt} of its module says so. The test fails instead where the system property {@code require}
 * names the missing program ({@code -Drequire=chromium,chromedriver,promtool}).
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeededTools.class)
public @interface Needs {

    /** The names of the programs. */
    String[] value();
}
