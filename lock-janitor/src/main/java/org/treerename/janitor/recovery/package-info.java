/**
 * The work of a janitor after the death of a process. {@link org.treerename.janitor.recovery.DeathWatch} detects and
 * fences a dead process, {@link org.treerename.janitor.recovery.RollForward} finishes its renames, and {@link
 * org.treerename.janitor.recovery.Sweep} removes its locks. Other classes delete old documents of the control index,
 * and correct the findings of an audit.
 */
@NullMarked
package org.treerename.janitor.recovery;

import org.jspecify.annotations.NullMarked;
