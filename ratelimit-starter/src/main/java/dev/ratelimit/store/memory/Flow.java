package dev.ratelimit.store.memory;

import java.math.BigInteger;

import dev.ratelimit.store.Limit;

/**
 * The flow of a bucket: the twin of {@code Flow.lua}, entirely in whole numbers. Tested
 * by {@code BucketModelTests}.
 *
 * @param permitUnits the number of units of a permit
 * @param unitsPerMicro the number of units that flow in a microsecond
 */
record Flow(long permitUnits, long unitsPerMicro) {

	static Flow of(Limit limit, int index) {
		return new Flow(limit.permitUnits(index), limit.unitsPerMicro(index));
	}

	/** The flow of a bucket when the plan with the highest rate uses it. */
	static Flow fastest(Limit limit, int index) {
		return new Flow(limit.permitUnits(index), limit.highestUnitsPerMicro(index));
	}

	/** The time that a debt takes to flow, rounded up. */
	long micros(Debt debt) {
		return micros(debt.permits(), debt.rest());
	}

	long micros(long permits, long rest) {
		return mulDiv(permits, this.permitUnits, rest + this.unitsPerMicro - 1, this.unitsPerMicro).permits();
	}

	/** The time that whole permits take to flow, rounded down. */
	long wholeMicros(long permits) {
		return mulDiv(permits, this.permitUnits, 0, this.unitsPerMicro).permits();
	}

	/** The amount that flows in a time. */
	Debt in(long micros) {
		return mulDiv(micros, this.unitsPerMicro, 0, this.permitUnits);
	}

	/** Limits the rest, which may exceed a permit after a change of the threshold. */
	Debt normalized(Debt debt) {
		return (debt.rest() < this.permitUnits) ? debt : new Debt(debt.permits(), this.permitUnits - 1);
	}

	/** The difference, at least zero. */
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
	 * The permits that are missing from a bucket, or those that are in it.
	 *
	 * @param permits whole permits
	 * @param rest units beyond them, less than a permit
	 */
	record Debt(long permits, long rest) {

		static final Debt NONE = new Debt(0, 0);

		/** The number of permits, where a part counts as one. */
		long permitsBegun() {
			return this.permits + ((this.rest > 0) ? 1 : 0);
		}

	}

}
