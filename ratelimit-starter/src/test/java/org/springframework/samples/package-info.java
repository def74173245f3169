/**
 * An application in a package of Spring's, as its sample applications are.
 */
@NullMarked
package org.springframework.samples;

import org.jspecify.annotations.NullMarked;
