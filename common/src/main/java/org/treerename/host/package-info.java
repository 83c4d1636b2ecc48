/**
 * The common base of all services: the shared settings, the connections to the servers, the stores, and the sequence of incarnations. This package
 * may use every other package, as the Main class of each service does. No other package uses it.
 */
@NullMarked
package org.treerename.host;

import org.jspecify.annotations.NullMarked;
