/** Observes the processes for the console and for {@code rename-admin processes}. */
@NullMarked
package org.treerename.janitor.process;

import org.jspecify.annotations.NullMarked;
