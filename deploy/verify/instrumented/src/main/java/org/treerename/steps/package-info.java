/**
 * Records each call of a process to the stores as a step, in a format that a program can parse. A test uses the steps
 * to examine a run, or to replay the run against a model. The packages of the stores do not depend on this package.
 */
@NullMarked
package org.treerename.steps;

import org.jspecify.annotations.NullMarked;
