// The verbs of a story's steps. A step is done when all of its answers have arrived.

import * as api from './api.js';

const POLL_MILLIS = 250;

export const pause = (millis, signal) => new Promise((resolve, reject) => {
  setTimeout(resolve, millis);
  signal?.addEventListener('abort', () => reject(signal.reason));
});

async function until(condition, signal, pollMillis = POLL_MILLIS) {
  while (!await condition()) {
    await pause(pollMillis, signal);
  }
}

const all = (lanes, action) => Promise.all(lanes.map(action));

/** The key of a client: {hash, address, key, slot, content}, or nothing while it is not known. */
export async function storedKey({rule, client, plan, hash}) {
  const known = hash ?? (await api.usage({rule, client, plan}))?.client;
  return known && {hash: known, ...await api.stored(rule, known)};
}

export const verbs = {
  burst: ({lanes, signal}, count) => all(lanes, (lane) => lane.send(count, 0, signal)),
  pace: ({lanes, signal}, count, everyMillis) => all(lanes, (lane) => lane.send(count, everyMillis, signal)),
  wait: ({signal}, millis) => pause(millis, signal),

  /** Waits until so long after (or before) the next edge of the first lane's windows. */
  edge({lanes, signal}, millis) {
    const now = Date.now();
    const next = Math.ceil((now - millis) / lanes[0].window) * lanes[0].window + millis;
    return pause(next - now, signal);
  },

  /** Sends until so many were admitted. A patient client waits as it is told. */
  want: ({lanes, signal}, wanted, everyMillis) => all(lanes, async (lane) => {
    while (lane.count('admitted') < wanted) {
      await lane.send(1, 0, signal);
      const wait = lane.last.headers['retry-after'];
      await pause(wait && lane.patient ? wait * 1000 : everyMillis, signal);
    }
  }),

  /** One lane after the other; the calls that the store makes meanwhile are those of the lane. */
  async inTurn({lanes, signal}, count, everyMillis) {
    const calls = async () => (await api.meter('ratelimit_store_calls_seconds')).reduce((sum, {value}) => sum + value, 0);
    for (const lane of lanes) {
      const before = await calls();
      await lane.send(count, everyMillis, signal);
      await pause(1500, signal);
      lane.calls = await calls() - before;
    }
  },

  /** Gives each lane a client whose key is on the same node as that of the first. */
  async gather({lanes, nodes, signal, setAlive}) {
    for (const {address} of nodes.filter(({alive}) => !alive)) {
      await setAlive(address, true);
    }
    const [{client: name}] = lanes;
    for (const lane of lanes) {
      let tries = 0;
      await until(async () => {
        const client = `${name}-${tries++}`;
        const stored = await storedKey({rule: lane.rule, client});
        Object.assign(lane, {client, stored, hash: stored?.hash});
        return stored?.content && stored.address === lanes[0].stored.address;
      }, signal, 0);
    }
  },

  kill: ({lanes, setAlive}) => setAlive(lanes[0].stored.address, false),
  revive: ({lanes, setAlive}) => setAlive(lanes[0].stored.address, true),

  /** The data centres have found each other before the line is cut. */
  async cut({setCut, signal}) {
    await until(async () => (await api.applications()).line.exchanging, signal);
    await setCut(true);
  },
  async restore({setCut, signal}) {
    await setCut(false);
    await until(async () => (await api.applications()).line.exchanging, signal);
  },

  handled: ({lanes, signal}) => until(() => lanes.every((lane) => !lane.count('queued')), signal),
};

const NARRATION = {
  burst: (count) => `Sending ${count} at once …`,
  pace: (count, everyMillis) => `Sending ${(1000 / everyMillis).toFixed(0)} a second …`,
  wait: () => 'Waiting …',
  edge: (millis) => (millis < 0 ? 'Waiting for the end of a window …' : 'A new window begins …'),
  want: () => 'Sending until both have their answers …',
  inTurn: () => 'Sending to one rule after the other …',
  gather: () => 'Looking for three clients whose keys are on one node …',
  cut: () => 'Cutting the line …',
  restore: () => 'Restoring the line …',
  handled: () => 'Waiting until all are handled …',
};

/** What a step does. */
export const narration = (verb, ...values) => NARRATION[verb]?.(...values) ?? '';
