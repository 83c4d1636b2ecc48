package org.treerename.path;

/**
 * What keeps the renames of a namespace from being carried out.
 *
 * @param mend what is to be done about it
 * @param mayPass whether it may go away without a change of the index, so that it is worth waiting for
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
