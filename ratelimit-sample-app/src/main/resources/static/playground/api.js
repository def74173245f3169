// The requests of the page. Nothing here counts or decides: the application does.

async function json(url, options) {
  const answer = await fetch(url, options);
  return answer.ok ? answer.json() : undefined;
}

export const rules = async () => (await json('actuator/ratelimits')).rules;

export const usage = (rule, player) =>
  json(`actuator/ratelimits/${rule}?key=${encodeURIComponent(player)}`);

export const nodes = () => json('playground/nodes');

export const setAlive = (number, alive) => json(`playground/nodes/${number}`, {
  method: 'PUT', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({alive}),
});

export const stored = (rule, client) => json(`playground/key?rule=${rule}&client=${client}`);

/** One limited request; `shown` are the headers about limits. */
export async function play(rule, player) {
  const answer = await fetch(rule.paths[0].slice(1), {headers: {'X-Player': player}, cache: 'no-store'});
  const body = await answer.text();
  const shown = [...answer.headers]
    .filter(([name]) => /ratelimit|retry-after|cache-control|content-type/.test(name))
    .map(([name, value]) => `${name}: ${value}`);
  return {status: answer.status, admitted: answer.ok, shown, body};
}

/** How many requests of each rule were decided by each source, since the application started. */
export async function sources() {
  const answer = await fetch('actuator/prometheus?includedNames=ratelimit_requests');
  const counts = {};
  if (!answer.ok) {
    return counts;
  }
  for (const [, labels, count] of (await answer.text()).matchAll(/^ratelimit_requests_total\{(.*)\} (\S+)$/gm)) {
    const tags = Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
    const ofRule = counts[tags.rule] ??= {};
    ofRule[tags.source] = (ofRule[tags.source] ?? 0) + Number(count);
  }
  return counts;
}
