package org.treerename.janitor.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.treerename.janitor.doctor.Finding.Level;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Collects the findings of one examination. If a server does not answer, the examination continues. Only one thread
 * calls this class.
 */
public final class Examination {

    private final List<Finding> findings = new ArrayList<>();
    private boolean isUnanswered;

    /**
     * Adds the findings about a subject. If a server refuses a request or sends no answer, adds a finding with the
     * cause.
     */
    void add(String subject, Supplier<List<Finding>> examine) {
        try {
            findings.addAll(examine.get());
        } catch (NoAnswerException e) {
            isUnanswered = true;
            findings.add(Finding.error(
                    subject,
                    String.valueOf(e.getMessage()),
                    "correct the address, the credentials or the server, and run this command again"));
        } catch (RefusedException e) {
            findings.add(Finding.warning(
                    subject,
                    "cannot be examined, because the server refuses the request: " + e.getMessage(),
                    "if the user of this command lacks a right, grant the right, or use another user"));
        }
    }

    /** Returns the findings in the order of the examination. */
    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** Returns the number of findings with this level. */
    public long count(Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }

    /** Returns whether a server did not answer. In this case, the findings may be incomplete. */
    public boolean isUnanswered() {
        return isUnanswered;
    }
}
