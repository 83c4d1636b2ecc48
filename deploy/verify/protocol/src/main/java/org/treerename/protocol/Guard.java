package org.treerename.protocol;

import java.util.Map;

/**
 * A guard is a condition that the protocol checks before a step. A configuration can switch the guard off, to show
 * which property does not hold without the guard.
 *
 * @param constant the constant that switches the guard on or off
 * @param breaks the property that does not hold without the guard
 * @param instead the values of other constants with which TLC finds the violation
 */
public record Guard(String constant, String breaks, Map<String, String> instead) {
    public Guard {
        instead = Map.copyOf(instead);
    }
}
