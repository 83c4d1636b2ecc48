package org.treerename.janitor.doctor;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.treerename.cli.Output;
import org.treerename.janitor.doctor.Finding.Level;

/** Prints the findings of an examination. */
public final class FindingsReport {

    private FindingsReport() {}

    /**
     * Prints a list of the findings. In the format for people, each finding has one line. If an action is necessary, a
     * second line describes the action. The last line of the list is a summary.
     */
    public static void print(Examination examination, Output output) {
        Output.Rows rows = output.list();
        examination.findings().forEach(finding -> rows.add(json(finding), lines(finding)));
        rows.end();
        output.note(counted(examination.count(Level.ERROR), "error") + ", "
                + counted(examination.count(Level.WARNING), "warning"));
    }

    private static Object[] lines(Finding finding) {
        List<String> lines = new ArrayList<>();
        lines.add(finding.level().inWords() + ": " + finding.subject() + ": " + finding.what());
        if (!finding.mend().isEmpty()) {
            lines.add("    to do: " + finding.mend());
        }
        return lines.toArray();
    }

    private static String counted(long count, String word) {
        return count + " " + word + (count == 1 ? "" : "s");
    }

    private static ObjectNode json(Finding finding) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("level", finding.level().inWords())
                .put("subject", finding.subject())
                .put("what", finding.what());
        if (!finding.mend().isEmpty()) {
            json.put("mend", finding.mend());
        }
        return json;
    }
}
