/**
 * The metrics of a process, in Micrometer's terms, for Prometheus. Decorators of the stores measure them; the decorated packages do not
 * depend on this package.
 */
@NullMarked
package org.treerename.metrics;

import org.jspecify.annotations.NullMarked;
