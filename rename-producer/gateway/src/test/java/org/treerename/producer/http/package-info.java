@NullMarked
package org.treerename.producer.http;

import org.jspecify.annotations.NullMarked;
