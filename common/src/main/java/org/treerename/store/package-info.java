/** What any store may answer: versions, lost races, silence, refusals. Knows nothing of the domain. */
@NullMarked
package org.treerename.store;

import org.jspecify.annotations.NullMarked;
