/**
 * The benchmarks measure this engine and its alternatives in one run on the same servers. This module starts each
 * service as a separate process. No other module uses this module.
 */
@NullMarked
package org.treerename.benchmark;

import org.jspecify.annotations.NullMarked;
