package org.springframework.samples;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.scheduling.annotation.EnableAsync;

/**
 * As that of Spring Modulith: its name comes behind those of ours.
 */
@AutoConfiguration
@EnableAsync
public class LateAsyncAutoConfiguration {

}
