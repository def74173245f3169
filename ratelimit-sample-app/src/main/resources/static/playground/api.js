// The requests of the page. Nothing here counts or decides: the applications do.

async function json(url, options) {
  const answer = await fetch(url, options);
  return answer.ok ? answer.json() : undefined;
}

const put = (url, body) => ({
  method: 'PUT', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body), cache: 'no-store',
});

export const rules = async () => (await json('actuator/ratelimits')).rules;

export const usage = ({rule, client, plan}) =>
  json(`actuator/ratelimits/${rule}?key=${client}${plan ? `&plan=${plan}` : ''}`);

export const yaml = async (rule) => (await fetch(`playground/rules/${rule}`)).text();

export const nodes = () => json('playground/nodes');

export const setAlive = (number, alive) => json(`playground/nodes/${number}`, put('', {alive}));

export const stored = (rule, hash) => json(`playground/key?rule=${rule}&client=${hash}`);

export const applications = () => json('playground/applications');

export const runGroup = (group) => json('playground/applications', put('', {group}));

export const cutLine = (cut) => json('playground/applications/line', put('', {cut}));

/** Whether the request that was stored under this location has been handled. */
export const isHandled = async (location) => ['done', 'dead'].includes((await json(location.slice(1)))?.state);

/** Sends requests; `each` gets every answer as it arrives. */
export async function send({rule, client, plan, to}, count, everyMillis, signal, each) {
  const answers = await fetch('playground/traffic', {...put('', {rule, client, plan, to, count, everyMillis}), signal});
  if (!answers.ok) {
    throw new Error(`HTTP ${answers.status}`);
  }
  const reader = answers.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (text + part.value).split('\n');
    text = lines.pop();
    lines.forEach((line) => each(JSON.parse(line)));
  }
}

/** The samples of a meter: [{tags, value}]. */
export async function meter(name) {
  const answer = await fetch(`actuator/prometheus?includedNames=${name}`);
  return [...(await answer.text()).matchAll(/^\w+?(_total|_count)\{(.*)\} (\S+)$/gm)].map(([, , labels, value]) => ({
    tags: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, tag, text]) => [tag, text])),
    value: Number(value),
  }));
}
