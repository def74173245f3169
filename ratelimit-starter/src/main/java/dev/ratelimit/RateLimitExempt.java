package dev.ratelimit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Exempts a method from the {@link RateLimited} annotations of its class, and of the
 * superclasses and interfaces of its class.
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
 * Rules of the configuration that cover the path of a handler limit it as before. For
 * those, see {@code ratelimit.exempt}.
 * <p>
 * The annotation may be used as a meta-annotation, and is found on overridden methods and
 * methods of interfaces, unless a nearer method is annotated: the nearest method that has
 * this annotation or {@link RateLimited} decides. Both on one method contradict each
 * other and fail the start. So does an exemption where nothing limits the method; one
 * that is inherited may be without effect.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RateLimitExempt {

}
