package dev.ratelimit.sample.playground;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/**
 * Only with the sample's own cluster: nobody's Redis is looked into or killed.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnProperty(name = "sample.redis", havingValue = "embedded", matchIfMissing = true)
@interface ConditionalOnEmbeddedRedis {

}
