package org.treerename.producer.cli;

import java.util.List;

/** Lines on a terminal that take the place of those before, as ECMA-48 says it. */
final class Frame {

    private static final String CSI = "\u001b[";

    private Frame() {}

    /** What is to be printed; no line goes on in the next one, so that as many can be gone back. */
    static String over(int linesBefore, List<String> lines) {
        StringBuilder frame = new StringBuilder();
        if (linesBefore > 0) {
            frame.append(CSI).append(linesBefore).append("F");
        }
        frame.append(CSI).append("J").append(CSI).append("?7l");
        lines.forEach(line -> frame.append(line).append('\n'));
        return frame.append(CSI).append("?7h").toString();
    }
}
