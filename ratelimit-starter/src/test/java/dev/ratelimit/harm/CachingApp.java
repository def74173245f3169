package dev.ratelimit.harm;

import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;

/**
 * The configuration that an application that caches has beside {@link InnocentApp}.
 */
@Configuration(proxyBeanMethods = false)
@EnableCaching
class CachingApp {

}
