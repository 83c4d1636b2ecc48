package org.treerename.simulation;

import java.util.Map;
import java.util.SortedMap;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.path.TreePath;

/**
 * Checks whether locks exclude each other. This class implements the rule of the product a second time, so that the
 * simulation finds an error in the product's rule.
 */
final class Exclusion {

    private Exclusion() {}

    /**
     * Returns whether a lock of one set excludes a lock of the other set. An exclusive lock excludes all locks of its
     * path and of the paths below it.
     */
    static boolean between(SortedMap<TreePath, LockMode> some, SortedMap<TreePath, LockMode> others) {
        return some.entrySet().stream()
                .anyMatch(one -> others.entrySet().stream()
                        .anyMatch(other -> covers(one, other.getKey()) || covers(other, one.getKey())));
    }

    /** Returns whether a lock of one set excludes a lock of the other set in the same namespace. */
    static boolean between(LockSet one, LockSet other) {
        return one.namespace().equals(other.namespace()) && between(one.modes(), other.modes());
    }

    private static boolean covers(Map.Entry<TreePath, LockMode> lock, TreePath path) {
        String at = lock.getKey().text();
        String below = at.equals("/") ? at : at + "/";
        return lock.getValue() == LockMode.EXCLUSIVE
                && (path.text().equals(at) || path.text().startsWith(below));
    }
}
