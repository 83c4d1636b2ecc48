/** Tests of the local stack: its servers start and restart, and they end when the process that started them ends. */
@NullMarked
package org.treerename.stack;

import org.jspecify.annotations.NullMarked;
