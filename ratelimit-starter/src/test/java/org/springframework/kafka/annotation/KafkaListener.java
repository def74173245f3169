package org.springframework.kafka.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Named as the annotation of Spring for Kafka, whose own jar would bring its client.
 */
@Retention(RetentionPolicy.RUNTIME)
public @interface KafkaListener {

	String[] topics();

}
