/**
 * Records the calls of a process to the stores, step by step, in a form that a program can parse. The records serve to
 * examine a run, and to replay it against a model. The decorated packages do not depend on this package.
 */
@NullMarked
package org.treerename.steps;

import org.jspecify.annotations.NullMarked;
