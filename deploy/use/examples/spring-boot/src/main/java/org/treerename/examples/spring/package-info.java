/** A Spring Boot application that uses the starter of tree rename. */
@NullMarked
package org.treerename.examples.spring;

import org.jspecify.annotations.NullMarked;
