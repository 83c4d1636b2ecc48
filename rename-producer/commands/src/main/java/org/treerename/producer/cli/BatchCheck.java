package org.treerename.producer.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of the check of a batch. The check runs before the command sends a request.
 *
 * @param requests the number of lines that contain a valid request
 * @param bad the number of lines that contain no valid request
 * @param problems the first bad lines, at most {@value #MAX_PROBLEMS}
 */
record BatchCheck(long requests, long bad, List<BatchLine.Bad> problems) {

    private static final int MAX_PROBLEMS = 100;

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
                    case BatchLine.Bad badLine -> {
                        bad++;
                        if (problems.size() < MAX_PROBLEMS) {
                            problems.add(badLine);
                        }
                    }
                }
            }
        }
        return new BatchCheck(requests, bad, problems);
    }

    /** Returns one line for each bad line, for people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        problems.forEach(line -> lines.add("line " + line.number() + ": " + line.problem()));
        if (bad > problems.size()) {
            lines.add("... and " + (bad - problems.size()) + " more");
        }
        return lines;
    }
}
