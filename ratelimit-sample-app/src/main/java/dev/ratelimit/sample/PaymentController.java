package dev.ratelimit.sample;

import java.util.Objects;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Five failed card payments per device and day; those that succeed do not count.
 */
@RestController
class PaymentController {

	/** The number that card schemes publish for testing a declined payment. */
	private static final String DECLINED = "4000000000000002";

	@PostMapping("/payments")
	ResponseEntity<Payment> pay(@RequestBody NewPayment payment) {
		if (payment.card().equals(DECLINED)) {
			return ResponseEntity.status(HttpStatus.PAYMENT_REQUIRED).body(new Payment("declined", payment.cents()));
		}
		return ResponseEntity.ok(new Payment("paid", payment.cents()));
	}

	record NewPayment(String card, long cents) {

		NewPayment {
			Objects.requireNonNull(card);
		}

	}

	record Payment(String status, long cents) {
	}

}
