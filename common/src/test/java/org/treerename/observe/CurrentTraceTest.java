package org.treerename.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.request.TraceContext;

class CurrentTraceTest {

    private static final TraceContext TRACE =
            new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", null);

    @Test
    void a_thread_is_in_a_trace_only_while_it_runs_within_it() {
        CurrentTrace.within(TRACE, () -> assertThat(CurrentTrace.get()).contains(TRACE));
        assertThat(CurrentTrace.get()).isEmpty();
        CurrentTrace.within(null, () -> assertThat(CurrentTrace.get()).isEmpty());
    }

    /** A program that uses this library without tracing need not have OpenTelemetry on its class path. */
    @Test
    void runs_without_a_trace_if_opentelemetry_is_not_on_the_class_path() throws Exception {
        URL[] others = Arrays.stream(
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                                .split(File.pathSeparator))
                .filter(entry -> !entry.contains("opentelemetry"))
                .map(CurrentTraceTest::url)
                .toArray(URL[]::new);
        try (URLClassLoader without = new URLClassLoader(others, ClassLoader.getPlatformClassLoader())) {
            Class<?> there = without.loadClass(CurrentTrace.class.getName());
            Class<?> context = without.loadClass(TraceContext.class.getName());
            Object trace = context.getConstructor(String.class, String.class).newInstance(TRACE.traceparent(), null);
            boolean[] run = new boolean[1];

            there.getMethod("within", context, Runnable.class).invoke(null, trace, (Runnable) () -> run[0] = true);

            assertThat(run[0]).isTrue();
            assertThat(there.getMethod("get").invoke(null)).isEqualTo(Optional.empty());
        }
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
