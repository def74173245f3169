package dev.ratelimit.sample.playground;

import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.embeddedredis.RedisCluster;
import dev.ratelimit.embeddedredis.RedisServer;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * The nodes of the embedded cluster, which can be killed and restarted. Changes use
 * {@code PUT}, which no page of another origin can send.
 */
@RestController
@RequestMapping("/playground/nodes")
@ConditionalOnEmbeddedRedis
class NodeController {

	private final RedisCluster cluster;

	NodeController(RedisCluster cluster) {
		this.cluster = cluster;
	}

	@GetMapping
	List<Node> nodes() {
		return IntStream.range(0, this.cluster.nodes().size()).mapToObj(this::node).toList();
	}

	/** One change at a time: a process cannot be killed while it is being started. */
	@PutMapping("/{number}")
	synchronized Node change(@PathVariable int number, @RequestBody Change change) {
		if (number < 1 || number > this.cluster.nodes().size()) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND);
		}
		RedisServer server = this.cluster.nodes().get(number - 1);
		if (!change.alive()) {
			server.kill();
		}
		else if (!server.isAlive()) {
			server.restart();
		}
		return node(number - 1);
	}

	private Node node(int index) {
		RedisServer server = this.cluster.nodes().get(index);
		return new Node(index + 1, server.address(), server.isAlive());
	}

	record Change(boolean alive) {
	}

	record Node(int number, String address, boolean alive) {
	}

}
