package dev.ratelimit.limiter.lease;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * The protocol of leases as a small state machine, for one limit in one window: requests
 * for one permit, also ahead of need, grants of half of what is left, spends, ends of
 * leases, permits that are released, and messages that arrive in any order, late or
 * never. A replica follows the master at any distance, and may be promoted once. All
 * states are visited, the nearest first.
 *
 * @param named whether permits have names, as those of a log: a counter takes back what
 * it never counted
 * @param limit how many permits the window has
 * @param instances how many instances lease
 * @param requests how many requests they send to Redis in all
 * @param fails whether the replica may be promoted
 */
record LeaseModel(boolean named, int limit, int instances, int requests, boolean fails) {

	/** As an instance keeps what is left of a lease when it has the next one. */
	private static final int LEASES = 2;

	/**
	 * Visit all states.
	 * @param found matches the states to look for
	 * @return how many states there are, the most of each excess, and the shortest
	 * schedule to what is looked for
	 */
	Result search(Predicate<State> found) {
		State start = new State(List.of(), List.of(), List.of(), List.of(),
				Collections.nCopies(this.instances, List.of()), List.of(), 0, false);
		Map<State, Step> reached = new HashMap<>();
		reached.put(start, new Step("", start));
		Queue<State> open = new ArrayDeque<>(List.of(start));
		Optional<State> first = Optional.empty();
		for (State state = open.poll(); state != null; state = open.poll()) {
			if (first.isEmpty() && found.test(state)) {
				first = Optional.of(state);
			}
			for (Step step : steps(state)) {
				if (reached.putIfAbsent(step.state(), new Step(step.name(), state)) == null) {
					open.add(step.state());
				}
			}
		}
		return new Result(reached.size(), most(reached, (state) -> state.admitted() - this.limit),
				most(reached, (state) -> state.admitted() - this.limit - state.lost()),
				most(reached, (state) -> state.admitted() - this.limit - state.spentOfLost()),
				first.map((state) -> schedule(reached, state)).orElse(List.of()));
	}

	private static int most(Map<State, Step> reached, ToIntFunction<State> value) {
		return reached.keySet().stream().mapToInt(value).max().orElseThrow();
	}

	private static List<String> schedule(Map<State, Step> reached, State end) {
		List<String> schedule = new ArrayList<>();
		Step step = Objects.requireNonNull(reached.get(end));
		while (!step.name().isEmpty()) {
			schedule.add(0, step.name());
			step = Objects.requireNonNull(reached.get(step.state()));
		}
		return schedule;
	}

	private List<Step> steps(State state) {
		List<Step> steps = new ArrayList<>();
		for (int i = 0; i < this.instances; i++) {
			ofInstance(state, i, steps);
		}
		for (Message message : state.messages()) {
			State without = state.without(message);
			steps.add(new Step("lost: " + message, without));
			if (message instanceof Ask request) {
				decide(without, request, steps);
			}
			else if (message instanceof Reply reply) {
				int permits = state.grants().get(reply.grant()).permits();
				Held granted = new Held(reply.grant(), permits);
				steps.add(state.leases().get(reply.instance()).isEmpty()
						? new Step(message + " arrives, one permit is spent",
								without.lease(reply.instance(), granted, granted.spend()).spend(reply.grant()))
						: new Step(message + " arrives ahead of need",
								without.lease(reply.instance(), granted, granted)));
				steps.add(new Step(message + " arrives too late", without.with(new Back(reply.grant(), permits))));
			}
			else if (message instanceof Back back) {
				steps.add(new Step("Redis takes back " + back.permits() + " of grant " + back.grant(),
						without.write(new Write(back.grant(), -back.permits()), this)));
			}
		}
		if (this.fails && !state.failed()) {
			if (!state.pending().isEmpty()) {
				steps.add(new Step("the replica follows by one write", state.replicate(this)));
			}
			steps.add(new Step("the replica is promoted, unknown to it: " + state.pending().size(), state.promote()));
		}
		return steps;
	}

	private void ofInstance(State state, int i, List<Step> steps) {
		List<Held> leases = state.leases().get(i);
		for (Held lease : leases) {
			steps.add(new Step("instance " + i + " spends a permit of grant " + lease.grant(),
					state.lease(i, lease, lease.spend()).spend(lease.grant())));
			steps.add(new Step("the lease of instance " + i + " ends",
					state.lease(i, lease, new Held(lease.grant(), 0)).with(new Back(lease.grant(), lease.left()))));
		}
		if (leases.size() < LEASES && state.requested() < this.requests
				&& state.messages().stream().noneMatch((message) -> message.isOf(i))) {
			for (int wanted : new int[] { 1, this.limit }) {
				steps.add(new Step("instance " + i + " requests " + wanted, state.acquire(new Ask(i, wanted))));
			}
		}
	}

	/** As Redis decides: half of what is left, and at least what is needed. */
	private void decide(State state, Ask request, List<Step> steps) {
		int room = this.limit - state.master().stream().mapToInt(Integer::intValue).sum();
		if (room < 1) {
			steps.add(new Step("Redis refuses " + request, state));
			return;
		}
		int permits = Math.max(1, Math.min(request.wanted(), room / 2));
		int grant = state.grants().size();
		steps.add(new Step("Redis grants instance " + request.instance() + " " + permits,
				state.grant(permits)
					.write(new Write(grant, permits), this)
					.with(new Reply(request.instance(), grant))));
	}

	/**
	 * What a store counts after a write: by grant, or for a counter in a single number.
	 */
	private List<Integer> after(List<Integer> counted, Write write) {
		List<Integer> after = new ArrayList<>(counted);
		int place = this.named ? write.grant() : 0;
		while (after.size() <= place) {
			after.add(0);
		}
		after.set(place, Math.max(0, after.get(place) + write.permits()));
		return List.copyOf(after);
	}

	/**
	 * What was found.
	 *
	 * @param states how many states there are
	 * @param aboveLimit the most that was admitted above the limit
	 * @param aboveLost the same, less the permits of grants that the promoted replica
	 * lacked
	 * @param aboveSpentOfLost the same, less those of them that were spent
	 * @param schedule the shortest one to what was looked for
	 */
	record Result(int states, int aboveLimit, int aboveLost, int aboveSpentOfLost, List<String> schedule) {
	}

	private record Step(String name, State state) {
	}

	/** What one instance holds of a grant. */
	record Held(int grant, int left) {

		private Held spend() {
			return new Held(this.grant, this.left - 1);
		}

	}

	/** Permits that Redis has granted, whether or not its reply arrives. */
	record Grant(int permits, int spent, boolean lost) {
	}

	/** A change of what is counted. */
	record Write(int grant, int permits) {
	}

	private sealed interface Message {

		/** Whether an instance waits for it. */
		default boolean isOf(int instance) {
			return false;
		}

	}

	private record Ask(int instance, int wanted) implements Message {

		@Override
		public boolean isOf(int instance) {
			return this.instance == instance;
		}

		@Override
		public String toString() {
			return "the request of instance " + this.instance;
		}

	}

	private record Reply(int instance, int grant) implements Message {

		@Override
		public boolean isOf(int instance) {
			return this.instance == instance;
		}

		@Override
		public String toString() {
			return "the reply to instance " + this.instance;
		}

	}

	private record Back(int grant, int permits) implements Message {

		@Override
		public String toString() {
			return this.permits + " of grant " + this.grant + " on their way back";
		}

	}

	/**
	 * The state of the whole system.
	 *
	 * @param master what the master counts
	 * @param replica what the replica counts
	 * @param pending the writes that the replica has not received yet
	 * @param grants all that were ever made
	 * @param leases what each instance holds
	 * @param messages the messages in flight
	 * @param requested how many requests were sent to Redis
	 * @param failed whether the replica was promoted
	 */
	record State(List<Integer> master, List<Integer> replica, List<Write> pending, List<Grant> grants,
			List<List<Held>> leases, List<Message> messages, int requested, boolean failed) {

		int admitted() {
			return this.grants.stream().mapToInt(Grant::spent).sum();
		}

		/** The permits that Redis had granted and lost. */
		int lost() {
			return this.grants.stream().filter(Grant::lost).mapToInt(Grant::permits).sum();
		}

		int spentOfLost() {
			return this.grants.stream().filter(Grant::lost).mapToInt(Grant::spent).sum();
		}

		private State with(Message message) {
			List<Message> messages = new ArrayList<>(this.messages);
			messages.add(message);
			// Their order does not matter: overtaking leads to the same state.
			messages.sort(Comparator.comparing(Message::toString));
			return new State(this.master, this.replica, this.pending, this.grants, this.leases, List.copyOf(messages),
					this.requested, this.failed);
		}

		private State without(Message message) {
			List<Message> messages = new ArrayList<>(this.messages);
			messages.remove(message);
			return new State(this.master, this.replica, this.pending, this.grants, this.leases, List.copyOf(messages),
					this.requested, this.failed);
		}

		private State acquire(Ask request) {
			State sent = with(request);
			return new State(sent.master, sent.replica, sent.pending, sent.grants, sent.leases, sent.messages,
					this.requested + 1, this.failed);
		}

		/** Replace what an instance holds of a grant, and add it if it is new. */
		private State lease(int instance, Held before, Held after) {
			List<Held> held = new ArrayList<>(this.leases.get(instance));
			held.remove(before);
			if (after.left() > 0) {
				held.add(after);
			}
			// Their order does not matter: any of them may be spent.
			held.sort(Comparator.comparingInt(Held::grant));
			List<List<Held>> leases = new ArrayList<>(this.leases);
			leases.set(instance, List.copyOf(held));
			return new State(this.master, this.replica, this.pending, this.grants, List.copyOf(leases), this.messages,
					this.requested, this.failed);
		}

		private State grants(List<Grant> grants) {
			return new State(this.master, this.replica, this.pending, List.copyOf(grants), this.leases, this.messages,
					this.requested, this.failed);
		}

		private State grant(int permits) {
			List<Grant> grants = new ArrayList<>(this.grants);
			grants.add(new Grant(permits, 0, false));
			return grants(grants);
		}

		private State spend(int grant) {
			List<Grant> grants = new ArrayList<>(this.grants);
			grants.set(grant,
					new Grant(grants.get(grant).permits(), grants.get(grant).spent() + 1, grants.get(grant).lost()));
			return grants(grants);
		}

		private State write(Write write, LeaseModel model) {
			List<Write> pending = new ArrayList<>(this.pending);
			if (model.fails && !this.failed) {
				pending.add(write);
			}
			return new State(model.after(this.master, write), this.replica, List.copyOf(pending), this.grants,
					this.leases, this.messages, this.requested, this.failed);
		}

		private State replicate(LeaseModel model) {
			return new State(this.master, model.after(this.replica, this.pending.get(0)),
					this.pending.subList(1, this.pending.size()), this.grants, this.leases, this.messages,
					this.requested, false);
		}

		private State promote() {
			List<Grant> grants = new ArrayList<>(this.grants);
			for (Write write : this.pending) {
				if (write.permits() > 0) {
					Grant grant = grants.get(write.grant());
					grants.set(write.grant(), new Grant(grant.permits(), grant.spent(), true));
				}
			}
			return new State(this.replica, List.of(), List.of(), List.copyOf(grants), this.leases, this.messages,
					this.requested, true);
		}

	}

}
