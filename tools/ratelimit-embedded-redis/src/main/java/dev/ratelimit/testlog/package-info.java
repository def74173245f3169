/**
 * What the build prints of tests.
 */
@NullMarked
package dev.ratelimit.testlog;

import org.jspecify.annotations.NullMarked;
