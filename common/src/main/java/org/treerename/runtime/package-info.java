/** What every service needs to run: time, loops, settings, shutdown. Knows nothing of the domain. */
@NullMarked
package org.treerename.runtime;

import org.jspecify.annotations.NullMarked;
