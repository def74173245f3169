package dev.ratelimit.autoconfigure;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the endpoint.
 *
 * @param showValues When to show the addresses of clients, which are hashes otherwise.
 * @param roles Roles of the users that are shown the addresses with when-authorized; if
 * empty, every authenticated user.
 */
@ConfigurationProperties("management.endpoint.ratelimits")
record RateLimitsEndpointProperties(@DefaultValue("never") Show showValues, @DefaultValue Set<String> roles) {
}
