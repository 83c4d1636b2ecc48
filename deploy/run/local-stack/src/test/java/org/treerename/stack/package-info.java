@NullMarked
package org.treerename.stack;

import org.jspecify.annotations.NullMarked;
