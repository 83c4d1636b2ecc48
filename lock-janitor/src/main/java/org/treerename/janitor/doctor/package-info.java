/**
 * Examines the servers, the topics, the indices and the privileges that the services need, and reports findings. It
 * changes nothing. The classes whose names end with {@code Judgement} are pure functions of what the servers answered.
 */
@NullMarked
package org.treerename.janitor.doctor;

import org.jspecify.annotations.NullMarked;
