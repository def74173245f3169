package dev.ratelimit.sample.applications;

import java.util.Optional;
import java.util.Set;

import dev.ratelimit.datacenters.PoolTerms;
import dev.ratelimit.sample.applications.Applications.Group;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Starts and stops applications, and cuts the line between the data centres. Changes use
 * {@code PUT}, which no page of another origin can send.
 */
@RestController
@RequestMapping("/playground/applications")
@ConditionalOnProperty(name = "sample.redis", havingValue = "embedded", matchIfMissing = true)
class ApplicationsController {

	private final Applications applications;

	ApplicationsController(Applications applications) {
		this.applications = applications;
	}

	@GetMapping
	State state() {
		return new State(this.applications.uris().keySet(), this.applications.dataCentres().map(LineState::of));
	}

	@PutMapping
	State run(@RequestBody Wanted wanted) {
		this.applications.run(wanted.group());
		return state();
	}

	@PutMapping("/line")
	State change(@RequestBody Change change) {
		this.applications.dataCentres()
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND))
			.cut(change.cut());
		return state();
	}

	record Wanted(Group group) {
	}

	record Change(boolean cut) {
	}

	record State(Set<String> running, Optional<LineState> line) {
	}

	/**
	 * The line between the data centres.
	 *
	 * @param cut whether it is cut
	 * @param exchanging whether each data centre reports that the other one replies
	 * @param share what each may admit whatever the others do
	 * @param ahead what each may admit beyond it before the others acknowledge that
	 * @param bound what all together admit at most
	 */
	record LineState(boolean cut, boolean exchanging, long share, long ahead, long bound) {

		static LineState of(DataCentres dataCentres) {
			PoolTerms terms = dataCentres.terms();
			// Of two, only the other one admits more than the threshold.
			return new LineState(dataCentres.isCut(), dataCentres.isExchanging(), terms.share(), terms.bound(),
					terms.threshold() + terms.bound());
		}

	}

}
