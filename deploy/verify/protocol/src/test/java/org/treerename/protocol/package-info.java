@NullMarked
package org.treerename.protocol;

import org.jspecify.annotations.NullMarked;
