/**
 * The benchmarks measure this engine and its alternatives in one run on the same servers. This module starts the
 * services as processes, and uses the modules that the services share. No other module uses this module.
 */
@NullMarked
package org.treerename.benchmark;

import org.jspecify.annotations.NullMarked;
