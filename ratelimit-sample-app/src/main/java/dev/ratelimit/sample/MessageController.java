package dev.ratelimit.sample;

import dev.ratelimit.sample.MessageService.Message;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Messages. The path's rule limits how many are sent; {@link MessageService} limits them
 * by their content.
 */
@RestController
class MessageController {

	private final MessageService messages;

	MessageController(MessageService messages) {
		this.messages = messages;
	}

	@PostMapping("/messages")
	@ResponseStatus(HttpStatus.ACCEPTED)
	Message send(@RequestBody Message message) {
		this.messages.send(message);
		return message;
	}

}
