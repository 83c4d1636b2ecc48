package org.treerename.protocol;

import java.util.Map;

/**
 * A guard of the protocol, which a configuration can switch off.
 *
 * @param constant the constant that switches the guard on or off
 * @param breaks the property that does not hold without the guard
 * @param instead the values of other constants that the model needs to show the violation
 */
public record Guard(String constant, String breaks, Map<String, String> instead) {
    public Guard {
        instead = Map.copyOf(instead);
    }
}
