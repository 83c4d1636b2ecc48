/**
 * The common base of all services. It contains the shared settings, the connections to the servers, the stores, and the
 * sequence of incarnations. This package may use every other package, as the Main class of each service does. No other
 * package of this module uses this package. Begin with {@link org.treerename.service.ServiceOptions}, which declares
 * the shared settings, and {@link org.treerename.service.Wiring}.
 */
@NullMarked
package org.treerename.service;

import org.jspecify.annotations.NullMarked;
