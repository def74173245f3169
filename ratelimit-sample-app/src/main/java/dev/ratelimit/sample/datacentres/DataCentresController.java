package dev.ratelimit.sample.datacentres;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.ratelimit.datacenters.PoolTerms;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.sample.datacentres.Counts.Count;
import dev.ratelimit.sample.datacentres.DataCentre.Answer;

import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Sends requests to the data centres, counts what each admits, and cuts the line between
 * them. Changes use {@code PUT}, which no page of another origin can send.
 */
@RestController
@RequestMapping("/datacentres")
@Profile("datacentres")
class DataCentresController {

	private static final String CLIENT = "[A-Za-z0-9_.-]{1,40}";

	private static final int MOST_AT_ONCE = 100;

	private final InstantSource clock = InstantSource.system();

	private final DataCentres dataCentres;

	private final Map<String, Counts> counts;

	DataCentresController(DataCentres dataCentres) {
		this.dataCentres = dataCentres;
		this.counts = dataCentres.all()
			.stream()
			.collect(Collectors.toUnmodifiableMap(DataCentre::name, (each) -> new Counts()));
	}

	@GetMapping("/state")
	State state(@RequestParam String client) {
		require(client.matches(CLIENT));
		RLThreshold threshold = this.dataCentres.threshold();
		PoolTerms terms = this.dataCentres.terms();
		long millis = threshold.windowLength().toMillis();
		long now = this.clock.millis();
		List<Side> sides = this.dataCentres.all().stream().map((each) -> side(each, client, now / millis)).toList();
		return new State(client, threshold.threshold(), threshold.window().toString(), millis - now % millis,
				terms.share(), terms.bound(), terms.threshold() + (sides.size() - 1) * terms.bound(),
				this.dataCentres.isCut(), sides.stream().mapToInt(Side::admitted).sum(), sides);
	}

	private Side side(DataCentre dataCentre, String client, long window) {
		Count count = counts(dataCentre).of(client, window);
		return new Side(dataCentre.name(), dataCentre.shared().toString(), count.admitted(), count.refused(),
				dataCentre.exchange(), dataCentre.exchangeAgeInMillis());
	}

	private Counts counts(DataCentre dataCentre) {
		return this.counts.getOrDefault(dataCentre.name(), new Counts());
	}

	/** One after the other, as a single client would. */
	@PutMapping("/{name}/requests")
	Sent send(@PathVariable String name, @RequestBody Requests requests) {
		DataCentre dataCentre = this.dataCentres.find(name)
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
		require(requests.client().matches(CLIENT) && requests.count() >= 1 && requests.count() <= MOST_AT_ONCE);
		List<Answer> answers = IntStream.range(0, requests.count())
			.mapToObj((i) -> send(dataCentre, requests.client()))
			.toList();
		int admitted = (int) answers.stream().filter(Answer::isAdmitted).count();
		return new Sent(admitted, answers.size() - admitted, answers.get(answers.size() - 1));
	}

	private Answer send(DataCentre dataCentre, String client) {
		Answer answer = dataCentre.send(client);
		counts(dataCentre).add(client, window(answer), answer.isAdmitted());
		return answer;
	}

	/** The window that the answer names, as the next one may have begun since. */
	private long window(Answer answer) {
		long millis = this.dataCentres.threshold().windowLength().toMillis();
		return (answer.reset() > 0) ? Math.round(answer.reset() * 1000.0 / millis) - 1 : this.clock.millis() / millis;
	}

	@PutMapping("/line")
	Change change(@RequestBody Change change) {
		if (change.cut()) {
			this.dataCentres.cut();
		}
		else {
			this.dataCentres.restore();
		}
		return new Change(this.dataCentres.isCut());
	}

	private static void require(boolean valid) {
		if (!valid) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
		}
	}

	record Change(boolean cut) {
	}

	record Requests(String client, int count) {
	}

	record Sent(int admitted, int refused, Answer last) {
	}

	/**
	 * What the page shows.
	 *
	 * @param client the client
	 * @param threshold the limit of a window, for all data centres together
	 * @param window the length of the window
	 * @param endsInMillis the time until the window ends
	 * @param share what each data centre may admit whatever the others do
	 * @param ahead what each may admit beyond it before the others acknowledge that
	 * @param bound what all together admit at most
	 * @param cut whether the line is cut
	 * @param admitted what all together have admitted in this window
	 * @param sides the data centres
	 */
	record State(String client, long threshold, String window, long endsInMillis, long share, long ahead, long bound,
			boolean cut, int admitted, List<Side> sides) {
	}

	/**
	 * One of the data centres.
	 *
	 * @param name its name
	 * @param url the resource whose limit it shares
	 * @param admitted requests of the client that it has admitted in this window
	 * @param refused those that it has refused
	 * @param exchange what its health reports about the other one
	 * @param ageInMillis the time since the other one has last replied
	 */
	record Side(String name, String url, int admitted, int refused, String exchange, Optional<Long> ageInMillis) {
	}

}
