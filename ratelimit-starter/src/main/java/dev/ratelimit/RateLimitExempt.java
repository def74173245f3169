package dev.ratelimit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Exempts a method from the {@link RateLimited} annotations of its class and of its
 * superclasses and interfaces, and from those of the methods that it overrides.
 *
 * <pre class="code">
 * &#64;RateLimited("orders")
 * class OrderController {
 *
 *     &#64;RateLimitExempt
 *     &#64;GetMapping("/orders/count")
 *     public long count() {
 * </pre>
 *
 * Rules of the configuration that cover the path of a handler still limit it.
 * {@code ratelimit.exempt} exempts a path from all rules.
 * <p>
 * The annotation may be used as a meta-annotation, and is found on overridden methods and
 * methods of interfaces. If the nearest annotated method has {@link RateLimited}, the
 * method is limited by it and by the annotations of its class. Both on one method, or on
 * methods of two types of which neither extends the other, contradict each other and fail
 * the start. So does an exemption where nothing limits the method; one that is inherited
 * may be without effect.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RateLimitExempt {

}
