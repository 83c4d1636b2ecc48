package org.treerename.producer.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known of a batch before any of it is sent.
 *
 * @param requests how many lines hold one
 * @param bad how many do not
 * @param problems the first of these, {@value #TOLD} at most
 */
record BatchCheck(long requests, long bad, List<BatchLine.Bad> problems) {

    private static final int TOLD = 100;

    BatchCheck {
        problems = List.copyOf(problems);
    }

    static BatchCheck of(BatchFile batch) throws IOException {
        long requests = 0;
        long bad = 0;
        List<BatchLine.Bad> problems = new ArrayList<>();
        try (BatchReader lines = batch.read()) {
            for (BatchLine line = lines.next(); line != null; line = lines.next()) {
                switch (line) {
                    case BatchLine.Request request -> requests++;
                    case BatchLine.Bad one -> {
                        bad++;
                        if (problems.size() < TOLD) {
                            problems.add(one);
                        }
                    }
                }
            }
        }
        return new BatchCheck(requests, bad, problems);
    }

    /** For people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        problems.forEach(line -> lines.add("line " + line.number() + ": " + line.problem()));
        if (bad > problems.size()) {
            lines.add("... and " + (bad - problems.size()) + " more");
        }
        return lines;
    }
}
