package dev.ratelimit.limiter.refusal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Interleavings;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads cache refusals of two subjects that take each other's place, find them and
 * forget them. A refusal may be lost at any time, but what is found for a subject is a
 * whole refusal that was cached for it, and not one that was there before the subject was
 * forgotten.
 */
@Tag("proof-interleavings")
@Param(name = "subject", gen = IntGen.class, conf = "0:1")
public class DenyCacheInterleavingsProof {

	private static final Limit LIMIT = Limits.of("r", "5/1m");

	private static final List<AcquireRequest> REQUESTS = Stream.of("a", "b", "c", "d", "e")
		.map((subject) -> new AcquireRequest(LIMIT, new Subject(subject), 1, new PermitId("p")))
		.toList();

	private final DenyCache cache = new DenyCache(Duration.ofMinutes(1), 4);

	/** How many refusals were to be cached. Each has its number as what remains. */
	private final AtomicInteger numbers = new AtomicInteger();

	/** Per subject, one bit for each refusal that was cached. */
	private final AtomicIntegerArray cached = new AtomicIntegerArray(REQUESTS.size());

	/** One bit for each refusal that must not be found any more. */
	private final AtomicInteger forgotten = new AtomicInteger();

	/** Fills the four places. */
	public DenyCacheInterleavingsProof() {
		remember(0);
		remember(2);
		remember(3);
		remember(4);
	}

	@Operation
	public void remember(@Param(name = "subject") int subject) {
		int number = this.numbers.incrementAndGet();
		this.cache.remember(REQUESTS.get(subject), List.of(new Usage(number, 60_000_000, 50_000_000)), 0, number);
		this.cached.addAndGet(subject, 1 << number);
	}

	@Operation
	public void find(@Param(name = "subject") int subject) {
		int before = this.forgotten.get();
		Subject wanted = REQUESTS.get(subject).subject();
		CachedRefusal found = this.cache.find(LIMIT, wanted, 1, 1000);
		if (found != null) {
			long number = found.windows().usage().get(0).remaining();
			Interleavings.require(found.request().subject().equals(wanted), "it is of the subject");
			Interleavings.require(found.answeredNanos() == number, "it is whole");
			Interleavings.require((before & (1 << number)) == 0, "it was cached after the subject was forgotten");
		}
	}

	@Operation
	public void forget(@Param(name = "subject") int subject) {
		int before = this.cached.get(subject);
		this.cache.forget("r", REQUESTS.get(subject).subject());
		this.forgotten.accumulateAndGet(before, (all, bits) -> all | bits);
	}

	@Test
	void noInterleavingFindsAWrongRefusal() {
		Interleavings.requireSomeOrder(DenyCacheInterleavingsProof.class);
	}

}
