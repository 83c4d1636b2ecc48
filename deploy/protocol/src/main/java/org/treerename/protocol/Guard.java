package org.treerename.protocol;

import java.util.Map;

/**
 * A guard of the protocol, which a configuration can leave out.
 *
 * @param constant that switches it
 * @param breaks the property that does not hold without it
 * @param instead other values that the world needs to show it
 */
public record Guard(String constant, String breaks, Map<String, String> instead) {
    public Guard {
        instead = Map.copyOf(instead);
    }
}
