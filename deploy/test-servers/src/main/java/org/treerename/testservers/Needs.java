package org.treerename.testservers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test of something that needs a program of this machine. Where that is missing the test fails, unless the system property {@code
 * without} names it ({@code -Dwithout=chromium,promtool}): then it does not run, and the end of the run says so.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeededTools.class)
public @interface Needs {

    /** The programs, as they are called. */
    String[] value();
}
