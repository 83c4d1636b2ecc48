/**
 * Records the calls of a process to the stores, step by step, in a form that a program can parse. A test uses the
 * records to examine a run, or to replay the run against a model. The decorated packages do not depend on this package.
 */
@NullMarked
package org.treerename.steps;

import org.jspecify.annotations.NullMarked;
