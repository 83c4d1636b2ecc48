/**
 * The common base of all services. It contains the shared settings, the connections to the servers, the stores, and the
 * sequence of incarnations. Like the Main class of each service, this package may use every other package. No other
 * package of this module uses this package. Begin with {@link org.treerename.service.ServiceOptions}, which declares
 * the shared settings, and {@link org.treerename.service.Wiring}.
 */
@NullMarked
package org.treerename.service;

import org.jspecify.annotations.NullMarked;
