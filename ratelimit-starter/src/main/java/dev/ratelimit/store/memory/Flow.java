package dev.ratelimit.store.memory;

import java.math.BigInteger;

import dev.ratelimit.store.Limit;

/**
 * How a bucket flows: the twin of {@code Flow.lua}, in whole numbers from end to end.
 *
 * @param permitUnits in how many units a permit is counted
 * @param unitsPerMicro how many of them flow in a microsecond
 */
record Flow(long permitUnits, long unitsPerMicro) {

	static Flow of(Limit limit, int index) {
		return new Flow(limit.permitUnits(index), limit.unitsPerMicro(index));
	}

	/** How long a debt takes to flow, rounded up. */
	long micros(long permits, long rest) {
		return mulDiv(permits, this.permitUnits, rest + this.unitsPerMicro - 1, this.unitsPerMicro).permits();
	}

	/** How long whole permits take to flow, rounded down. */
	long wholeMicros(long permits) {
		return mulDiv(permits, this.permitUnits, 0, this.unitsPerMicro).permits();
	}

	/** What flows in a time. */
	Debt in(long micros) {
		return mulDiv(micros, this.unitsPerMicro, 0, this.permitUnits);
	}

	/** After a change of the threshold the rest may come to more than a permit. */
	Debt normalized(Debt debt) {
		return (debt.rest() < this.permitUnits) ? debt : new Debt(debt.permits(), this.permitUnits - 1);
	}

	/** At least nothing. */
	Debt minus(Debt one, Debt other) {
		boolean borrowed = one.rest() < other.rest();
		long permits = one.permits() - other.permits() - (borrowed ? 1 : 0);
		return (permits < 0) ? Debt.NONE
				: new Debt(permits, one.rest() - other.rest() + (borrowed ? this.permitUnits : 0));
	}

	private static Debt mulDiv(long a, long b, long c, long d) {
		if (Math.multiplyHigh(a, b) == 0 && a * b >= 0 && a * b + c >= 0) {
			return new Debt((a * b + c) / d, (a * b + c) % d);
		}
		BigInteger[] result = BigInteger.valueOf(a)
			.multiply(BigInteger.valueOf(b))
			.add(BigInteger.valueOf(c))
			.divideAndRemainder(BigInteger.valueOf(d));
		return new Debt(result[0].longValue(), result[1].longValue());
	}

	/**
	 * What is missing in a bucket, or what is in it.
	 *
	 * @param permits whole permits
	 * @param rest units beyond them, less than a permit
	 */
	record Debt(long permits, long rest) {

		static final Debt NONE = new Debt(0, 0);

		/** Permits, of which a part counts as one. */
		long permitsBegun() {
			return this.permits + ((this.rest > 0) ? 1 : 0);
		}

	}

}
