package org.springframework.amqp.rabbit.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Named as the annotation of Spring for RabbitMQ, whose own jar would bring its client.
 */
@Retention(RetentionPolicy.RUNTIME)
public @interface RabbitListener {

	String[] queues();

}
