/**
 * What a process does to the stores, step by step, in a form that a machine can read again: for looking closely at a run, and
 * for replaying it against a model. The rooms that are decorated know nothing of it.
 */
@NullMarked
package org.treerename.steps;

import org.jspecify.annotations.NullMarked;
