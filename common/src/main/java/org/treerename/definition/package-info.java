/** The definitions of namespaces as people write them. The package depends on paths, and not on the store of the definitions. */
@NullMarked
package org.treerename.definition;

import org.jspecify.annotations.NullMarked;
