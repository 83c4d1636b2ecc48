@NullMarked
package org.treerename.benchmark;

import org.jspecify.annotations.NullMarked;
