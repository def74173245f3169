// Nothing here counts or decides: the data centres do.

import {draw} from './bar.js';

const POLL_MILLIS = 500;
const AT_ONCE = 10;

const by = (id) => document.getElementById(id);
const say = (text) => { by('said').textContent = text; };
const client = () => by('client').value.trim();

let turns = 0;

async function json(url, options) {
  const answer = await fetch(url, options);
  return answer.ok ? answer.json() : undefined;
}

const put = (url, body) => json(url, {
  method: 'PUT', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body),
});

async function send(name) {
  if (!by('requests').reportValidity()) {
    return;
  }
  const sent = await put(`${name}/requests`, {client: client(), count: AT_ONCE});
  if (!sent) {
    say(`Data centre ${name} does not answer.`);
    return;
  }
  const {status, headers} = sent.last;
  side(name).querySelector('.answer').textContent = [`HTTP ${status}`, ...headers].join('\n');
  await refresh();
  say(`Sent ${AT_ONCE} to ${name}: ${sent.admitted} admitted, ${sent.refused} refused.`);
}

async function change() {
  const changed = await put('line', {cut: by('line').getAttribute('aria-checked') !== 'true'});
  await refresh();
  say(!changed ? 'The line could not be changed.' : changed.cut ? 'The line is cut.' : 'The line is whole again.');
}

/** A section is made once, so that the keyboard focus stays where it is. */
function side(name) {
  const found = by(`side-${name}`);
  if (found) {
    return found;
  }
  const made = by('side').content.firstElementChild.cloneNode(true);
  made.id = `side-${name}`;
  made.setAttribute('aria-label', `Data centre ${name}`);
  made.querySelector('h2').textContent = `Data centre ${name}`;
  made.querySelector('.mark').classList.add(`of-${name}`);
  made.querySelector('.answer').setAttribute('aria-label', `Last response of ${name}`);
  made.querySelector('.command').setAttribute('aria-label', `Command for ${name}`);
  return by('sides').appendChild(made);
}

function showSide(it) {
  const root = side(it.name);
  const set = (selector, text) => { root.querySelector(selector).textContent = text; };
  const age = (it.ageInMillis == null) ? 'it has never replied' : `it replied ${(it.ageInMillis / 1000).toFixed(1)} s ago`;
  set('.admitted', it.admitted);
  set('.refused', it.refused);
  set('.exchange', `${it.exchange}; ${age}`);
  root.querySelector('.exchange').className = `exchange ${it.exchange === 'exchanging' ? 'good' : 'bad'}`;
  set('.command', `curl -i -H 'X-Client: ${client()}' ${it.url}`);
}

function show(state) {
  by('admitted').textContent = state.admitted;
  by('ends').textContent = Math.ceil(state.endsInMillis / 1000);
  const others = state.sides.length - 1;
  by('limit').textContent = `${state.threshold} in ${state.window}, for both together`;
  by('bound').textContent = `${state.bound} = ${state.threshold} + ${others} \u00d7 ${state.ahead}: both together never admit more, whatever happens to the line`;
  by('alone').textContent = `each admits at most its share of ${state.share}, and ${state.ahead} that the other one has not acknowledged`;
  by('line').setAttribute('aria-checked', String(state.cut));
  by('line-state').textContent = state.cut ? ': on' : ': off';
  draw(by('bar'), state);
  state.sides.forEach(showSide);
}

async function refresh() {
  const turn = ++turns;
  const state = by('client').checkValidity() ? await json(`state?client=${encodeURIComponent(client())}`) : undefined;
  // A reply that was requested before a change is outdated.
  if (state && turn === turns) {
    show(state);
  }
}

async function poll() {
  try {
    await refresh();
  } catch {
    say('The application does not answer.');
  }
  setTimeout(poll, POLL_MILLIS);
}

const report = (action) => action().catch(() => say('The application does not answer.'));

document.querySelectorAll('.send').forEach((button) =>
  button.addEventListener('click', () => report(() => send(button.dataset.to))));
by('line').addEventListener('click', () => report(change));
by('requests').addEventListener('submit', (event) => { event.preventDefault(); report(() => send('a')); });
poll();
