package org.treerename.namespace;

/**
 * A problem that prevents the renames of a namespace.
 *
 * @param what the problem
 * @param mend the action that corrects the problem
 * @param mayPass whether the problem may disappear without a change of an existing index; if true, a process may wait
 *     until the problem disappears
 */
public record TreeProblem(String what, String mend, boolean mayPass) {

    public static TreeProblem lasting(String what, String mend) {
        return new TreeProblem(what, mend, false);
    }

    public static TreeProblem passing(String what, String mend) {
        return new TreeProblem(what, mend, true);
    }

    @Override
    public String toString() {
        return what + "; " + mend;
    }
}
