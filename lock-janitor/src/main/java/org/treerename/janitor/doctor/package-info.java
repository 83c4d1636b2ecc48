/**
 * Examines the servers, the topics, the indices and the privileges that the services need, and reports findings. This
 * package changes nothing. The results of the classes whose names end with {@code Findings} depend only on the answers
 * from the servers.
 */
@NullMarked
package org.treerename.janitor.doctor;

import org.jspecify.annotations.NullMarked;
