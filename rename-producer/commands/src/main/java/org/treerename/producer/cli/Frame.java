package org.treerename.producer.cli;

import java.util.List;

/** Replaces the lines of the previous frame on a terminal by new lines. Uses the control sequences of ECMA-48. */
final class Frame {

    private static final String CSI = "\u001b[";

    private Frame() {}

    /**
     * Returns the text to print. The text switches line wrap off during the frame, so that each line occupies one row.
     * So the next frame can move the cursor up by the number of lines.
     */
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
