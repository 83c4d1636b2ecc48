/** The definitions of namespaces as people write them. Knows paths; does not know where they are kept. */
@NullMarked
package org.treerename.definition;

import org.jspecify.annotations.NullMarked;
