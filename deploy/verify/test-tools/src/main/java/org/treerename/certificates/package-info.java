/** A certificate authority for tests of TLS. */
@NullMarked
package org.treerename.certificates;

import org.jspecify.annotations.NullMarked;
