package dev.ratelimit.sample.playground;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/**
 * Enables a bean only with the sample's own cluster, because an external Redis must not
 * be inspected or killed.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnProperty(name = "sample.redis", havingValue = "embedded", matchIfMissing = true)
@interface ConditionalOnEmbeddedRedis {

}
