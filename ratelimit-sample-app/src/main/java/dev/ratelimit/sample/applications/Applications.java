package dev.ratelimit.sample.applications;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.ratelimit.embeddedredis.RedisCluster;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * The applications that run besides the sample itself: none, until the page asks for
 * them. They stop with the sample. Safe for concurrent use.
 */
@Component
public class Applications implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Applications.class);

	private final ObjectProvider<RedisCluster> cluster;

	private final List<Application> instances = new ArrayList<>();

	private @Nullable DataCentres dataCentres;

	Applications(ObjectProvider<RedisCluster> cluster) {
		this.cluster = cluster;
	}

	/**
	 * The addresses of those that run, by their names.
	 */
	public synchronized Map<String, URI> uris() {
		Map<String, URI> uris = new TreeMap<>(dataCentres().map(DataCentres::uris).orElse(Map.of()));
		for (int i = 0; i < this.instances.size(); i++) {
			uris.put("instance-" + (i + 2), this.instances.get(i).uri());
		}
		return uris;
	}

	synchronized Optional<DataCentres> dataCentres() {
		return Optional.ofNullable(this.dataCentres);
	}

	/** Start what is asked for, and stop what is not. */
	synchronized void run(Group group) {
		if (group != Group.INSTANCES) {
			close(this.instances);
			this.instances.clear();
		}
		else if (this.instances.isEmpty()) {
			String nodes = "--spring.data.redis.cluster.nodes="
					+ String.join(",", this.cluster.getObject().addresses());
			this.instances.add(Application.start("instance", nodes));
			this.instances.add(Application.start("instance", nodes));
		}
		if (group != Group.DATACENTRES) {
			dataCentres().ifPresent(DataCentres::close);
			this.dataCentres = null;
		}
		else if (this.dataCentres == null) {
			this.dataCentres = DataCentres.start();
		}
	}

	@Override
	public void close() {
		run(Group.NONE);
	}

	static void close(List<? extends AutoCloseable> all) {
		for (AutoCloseable each : all) {
			try {
				each.close();
			}
			catch (Exception ex) {
				logger.warn("Not closed: " + each, ex);
			}
		}
	}

	enum Group {

		NONE, INSTANCES, DATACENTRES

	}

}
