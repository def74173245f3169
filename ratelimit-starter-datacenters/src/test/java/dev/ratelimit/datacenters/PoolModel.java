package dev.ratelimit.datacenters;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.ratelimit.datacenters.PooledWindow.Message;
import dev.ratelimit.datacenters.PooledWindow.Received;
import dev.ratelimit.datacenters.PooledWindow.Taken;
import dev.ratelimit.datacenters.PooledWindow.Terms;

/**
 * Several data centres that limit one subject together, as a small state machine around
 * {@link PooledWindow}: requests, and messages that arrive in any order, late, repeatedly
 * or never. All states are visited, the nearest first.
 *
 * @param terms the terms of each data centre
 * @param inFlight how many messages may be on their way from one data centre to another
 * @param total how many may be on their way in all
 * @param windows how many windows the clocks pass through, each at its own time
 * @param costs how many permits a request may take
 * @param options what else happens, or does not
 */
record PoolModel(List<Terms> terms, int inFlight, int total, int windows, List<Integer> costs, Set<Option> options) {

	private static final List<String> NAMES = List.of("a", "b", "c");

	/** One window, and requests for one permit. */
	static PoolModel of(List<Terms> terms, int inFlight, Option... options) {
		return new PoolModel(terms, inFlight, Integer.MAX_VALUE, 1, List.of(1), Set.of(options));
	}

	static PoolModel of(int centres, Terms terms, int inFlight, Option... options) {
		return of(Collections.nCopies(centres, terms), inFlight, options);
	}

	PoolModel windows(int windows) {
		return new PoolModel(this.terms, this.inFlight, this.total, windows, this.costs, this.options);
	}

	PoolModel total(int total) {
		return new PoolModel(this.terms, this.inFlight, total, this.windows, this.costs, this.options);
	}

	PoolModel costs(Integer... costs) {
		return new PoolModel(this.terms, this.inFlight, this.total, this.windows, List.of(costs), this.options);
	}

	/** Visit all states. */
	Result search() {
		State start = start();
		Map<State, Step> reached = new HashMap<>();
		reached.put(start, new Step(() -> "", start));
		Queue<State> open = new ArrayDeque<>(List.of(start));
		for (State state = open.poll(); state != null; state = open.poll()) {
			for (Step step : steps(state)) {
				if (reached.putIfAbsent(step.state(), new Step(step.name(), state)) == null) {
					open.add(step.state());
				}
			}
		}
		return new Result(reached);
	}

	private State start() {
		return new State(
				IntStream.range(0, centres()).mapToObj((i) -> PooledWindow.empty(0, NAMES.get(i) + 0)).toList(),
				Collections.nCopies(centres(), 0), Collections.nCopies(centres(), Collections.nCopies(this.windows, 0)),
				Set.of(), false);
	}

	private List<Step> steps(State state) {
		List<Step> steps = new ArrayList<>();
		for (int i = 0; i < centres(); i++) {
			String name = NAMES.get(i);
			if (i == 0 || !has(Option.ONE_BUSY)) {
				request(state, i, steps);
			}
			int clock = state.clocks().get(i);
			if (clock < this.windows - 1) {
				steps.add(new Step(() -> "the next window begins in " + name, state.clock(i, clock + 1)));
			}
			if (has(Option.RELEASES)) {
				release(state, i, steps);
			}
			if (i == 0 && has(Option.LOSS) && !state.lost()) {
				steps.add(new Step(() -> "the Redis of " + name + " loses its data",
						state.lose(i, PooledWindow.empty(clock, name + (has(Option.SAME_BORN) ? 0 : 1)))));
			}
			if (has(Option.CRASHES)) {
				steps.add(new Step(() -> "the instance of " + name + " crashes", state.crash(i)));
			}
			for (int j = 0; j < centres(); j++) {
				if (j != i && (!has(Option.AS_NEEDED) || needsExchange(state, i, j))) {
					Flight flight = message(state, i, j);
					steps.add(new Step(() -> "sent: " + flight, send(state, flight)));
				}
			}
		}
		for (Flight flight : state.flights()) {
			steps.add(new Step(() -> "arrives: " + flight, arrive(state, flight)));
			if (!has(Option.CRASHES)) {
				steps.add(new Step(() -> "does not arrive again: " + flight, state.without(flight)));
			}
		}
		return steps;
	}

	private void request(State state, int i, List<Step> steps) {
		for (int cost : this.costs) {
			Taken taken = state.stores().get(i).take(state.clocks().get(i), cost, this.terms.get(i), peers(i), true);
			State after = state.store(i, taken.after());
			steps.add(new Step(() -> "a request for " + cost + " in " + NAMES.get(i) + ": " + taken.outcome(),
					taken.admitted() ? after.admit(i, (int) taken.after().number(), cost) : after));
		}
	}

	private void release(State state, int i, List<Step> steps) {
		PooledWindow store = state.stores().get(i);
		int number = (int) store.number();
		if (state.admitted().get(i).get(number) > 0) {
			steps.add(new Step(() -> "a permit is released in " + NAMES.get(i),
					state.store(i, store.release(number, 1)).admit(i, number, -1)));
		}
	}

	private boolean needsExchange(State state, int from, int to) {
		return state.stores().get(from).needsExchange(Set.of(NAMES.get(to)));
	}

	private Flight message(State state, int from, int to) {
		return new Flight(from, to,
				state.stores().get(from).message(NAMES.get(from), NAMES.get(to), this.terms.get(from)));
	}

	private State send(State state, Flight flight) {
		int before = 0;
		for (Flight other : state.flights()) {
			before += (other.from() == flight.from() && other.to() == flight.to()) ? 1 : 0;
		}
		return (before >= this.inFlight || state.flights().size() >= this.total || state.flights().contains(flight)
				|| isStale(state, flight)) ? state : state.with(flight);
	}

	/** It stays in flight, and may arrive again. */
	private State arrive(State state, Flight flight) {
		int to = flight.to();
		Received received = receive(state, flight);
		State after = state.store(to, received.after());
		for (Flight other : state.flights()) {
			if (other.to() == to && isStale(after, other)) {
				after = after.without(other);
			}
		}
		return received.reply().isEmpty() ? after
				: send(after, new Flight(to, flight.from(), received.reply().orElseThrow()));
	}

	private Received receive(State state, Flight flight) {
		int to = flight.to();
		return state.stores()
			.get(to)
			.receive(state.clocks().get(to), flight.message(), NAMES.get(to), this.terms.get(to));
	}

	/**
	 * In one window, and without a loss, numbers only grow: a message that changes
	 * nothing where it arrives never will.
	 */
	private boolean isStale(State state, Flight flight) {
		return this.windows == 1 && !has(Option.LOSS)
				&& receive(state, flight).after().equals(state.stores().get(flight.to()));
	}

	/** After one exchange of each with each, of which nothing is lost. */
	State exchanged(State state) {
		State after = state.silent();
		for (int i = 0; i < centres(); i++) {
			for (int j = 0; j < centres(); j++) {
				if (i != j) {
					State read = after;
					Flight message = message(read, i, j);
					Received received = receive(read, message);
					after = read.store(j, received.after());
					if (received.reply().isPresent()) {
						after = after.store(i,
								receive(after, new Flight(j, i, received.reply().orElseThrow())).after());
					}
				}
			}
		}
		return after;
	}

	/** Whether a data centre lacks an acknowledgement. */
	boolean needsExchange(State state) {
		return IntStream.range(0, centres()).anyMatch((i) -> state.stores().get(i).needsExchange(peers(i)));
	}

	private boolean has(Option option) {
		return this.options.contains(option);
	}

	private int centres() {
		return this.terms.size();
	}

	private Set<String> peers(int i) {
		Set<String> peers = new HashSet<>(NAMES.subList(0, centres()));
		peers.remove(NAMES.get(i));
		return peers;
	}

	private static int mix(int value) {
		int mixed = value * 0x9E3779B9;
		return mixed ^ (mixed >>> 15);
	}

	enum Option {

		/** Permits are released. */
		RELEASES,

		/** Messages are lost only with the instance that sends or receives them. */
		CRASHES,

		/** The Redis of the first data centre loses its data, once: all are alike. */
		LOSS,

		/** After the loss its record has the {@code born} of the one before. */
		SAME_BORN,

		/** Messages are sent until they are acknowledged, instead of at any time. */
		AS_NEEDED,

		/** All requests arrive in the first data centre. */
		ONE_BUSY

	}

	/**
	 * What was found.
	 *
	 * @param reached all states, each with the step that led to it first
	 */
	record Result(Map<State, Step> reached) {

		int states() {
			return this.reached.size();
		}

		/** The most that was admitted in one window. */
		int admitted() {
			return most(State::mostAdmitted);
		}

		int most(ToIntFunction<State> value) {
			return this.reached.keySet().stream().mapToInt(value).max().orElseThrow();
		}

		/** A shortest schedule to a state. */
		List<String> schedule(Predicate<State> found) {
			List<String> shortest = List.of();
			for (State state : this.reached.keySet()) {
				if (found.test(state)) {
					List<String> schedule = schedule(state);
					shortest = (shortest.isEmpty() || schedule.size() < shortest.size()) ? schedule : shortest;
				}
			}
			return shortest;
		}

		private List<String> schedule(State end) {
			List<String> schedule = new ArrayList<>();
			State state = end;
			for (Step step = step(end); !step.state().equals(state); step = step(state)) {
				schedule.add(0, step.name().get());
				state = step.state();
			}
			return schedule;
		}

		private Step step(State state) {
			return Objects.requireNonNull(this.reached.get(state));
		}

	}

	record Step(Supplier<String> name, State state) {
	}

	/** A message on its way from one data centre to another. */
	record Flight(int from, int to, Message message) {

		private boolean isOf(int centre) {
			return this.from == centre || this.to == centre;
		}

		/** The hash of a set is the sum of these. */
		@Override
		public int hashCode() {
			return mix(mix(mix(this.from) + this.to) + this.message.hashCode());
		}

		@Override
		public String toString() {
			return NAMES.get(this.from) + " to " + NAMES.get(this.to) + " window " + this.message.number() + " own "
					+ this.message.own() + " (" + this.message.born() + ") acknowledges " + this.message.acked() + " ("
					+ this.message.ackedBorn() + ")";
		}

	}

	/**
	 * The state of the whole system.
	 *
	 * @param stores what each Redis has stored
	 * @param clocks the number of the window by each clock
	 * @param admitted the permits of each data centre and window that were admitted, and
	 * not released while they counted
	 * @param flights the messages on their way
	 * @param lost whether a Redis has lost its data
	 */
	record State(List<PooledWindow> stores, List<Integer> clocks, List<List<Integer>> admitted, Set<Flight> flights,
			boolean lost) {

		@Override
		public int hashCode() {
			return mix(mix(mix(this.stores.hashCode()) + 31 * this.admitted.hashCode() + this.clocks.hashCode())
					+ this.flights.hashCode() + (this.lost ? 1 : 0));
		}

		int admitted(int centre) {
			return this.admitted.get(centre).get(0);
		}

		int mostAdmitted() {
			int most = 0;
			for (int number = 0; number < this.admitted.get(0).size(); number++) {
				int sum = 0;
				for (List<Integer> windows : this.admitted) {
					sum += windows.get(number);
				}
				most = Math.max(most, sum);
			}
			return most;
		}

		private State store(int i, PooledWindow store) {
			return new State(set(this.stores, i, store), this.clocks, this.admitted, this.flights, this.lost);
		}

		private State clock(int i, int clock) {
			return new State(this.stores, set(this.clocks, i, clock), this.admitted, this.flights, this.lost);
		}

		private State lose(int i, PooledWindow store) {
			return new State(set(this.stores, i, store), this.clocks, this.admitted, this.flights, true);
		}

		private State flights(Set<Flight> flights) {
			return new State(this.stores, this.clocks, this.admitted, Set.copyOf(flights), this.lost);
		}

		private State with(Flight flight) {
			Set<Flight> flights = new HashSet<>(this.flights);
			flights.add(flight);
			return flights(flights);
		}

		private State without(Flight flight) {
			Set<Flight> flights = new HashSet<>(this.flights);
			flights.remove(flight);
			return flights(flights);
		}

		private State crash(int i) {
			return flights(
					this.flights.stream().filter((flight) -> !flight.isOf(i)).collect(Collectors.toUnmodifiableSet()));
		}

		private State silent() {
			return flights(Set.of());
		}

		private State admit(int i, int number, int permits) {
			List<Integer> windows = this.admitted.get(i);
			return new State(this.stores, this.clocks,
					set(this.admitted, i, set(windows, number, windows.get(number) + permits)), this.flights,
					this.lost);
		}

		private static <T> List<T> set(List<T> values, int place, T value) {
			List<T> changed = new ArrayList<>(values);
			changed.set(place, value);
			return List.copyOf(changed);
		}

	}

}
