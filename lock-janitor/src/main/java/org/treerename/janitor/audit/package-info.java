/**
 * The audit of the control index and of the trees. The audit changes nothing. Begin with {@link
 * org.treerename.janitor.audit.Auditor}.
 */
@NullMarked
package org.treerename.janitor.audit;

import org.jspecify.annotations.NullMarked;
