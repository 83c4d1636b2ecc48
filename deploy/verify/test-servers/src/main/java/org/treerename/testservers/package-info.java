/** The servers of the integration tests. This package does not depend on the code of renames. */
@NullMarked
package org.treerename.testservers;

import org.jspecify.annotations.NullMarked;
