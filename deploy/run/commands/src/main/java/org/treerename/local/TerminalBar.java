package org.treerename.local;

import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * Prints a progress bar on standard error, if the process has a terminal. The scripts set the system property {@code
 * tree-rename.terminal} to {@code true} if there is a terminal.
 */
record TerminalBar(Optional<ProgressBar> bar) implements AutoCloseable {

    static TerminalBar of(String task, long total) {
        return new TerminalBar(
                Boolean.getBoolean("tree-rename.terminal")
                        ? Optional.of(new ProgressBarBuilder()
                                .setTaskName(task)
                                .setInitialMax(total)
                                .build())
                        : Optional.empty());
    }

    void step() {
        bar.ifPresent(ProgressBar::step);
    }

    @Override
    public void close() {
        bar.ifPresent(ProgressBar::close);
    }
}
