import * as api from './api.js';
import {Lane} from './lane.js';

const POLL_MILLIS = 500;
const AT_ONCE = 10;
const POLICIES = {
  local: 'this instance counts by itself', allow: 'everything is admitted', deny: 'everything is refused with 503',
};

const by = (id) => document.getElementById(id);
const player = () => by('player').value.trim() || 'me';
const say = (text) => { by('said').textContent = text; };

let rules = [];
let lanes = [];
let steady;
let turns = 0;
let counted = {};      // by source, as last reported
let embedded = true;   // can the page kill the nodes?

const words = (name) => name.replaceAll('-', ' ');
const kinds = () => [...new Set(rules.map((rule) => rule.id.split('-')[1]))];
const find = (kind, algorithm) => rules.find((rule) => rule.id === `play-${kind}-${algorithm}`);
const limits = (rule) => rule.thresholds.map(({threshold, window}) => `${threshold} in ${window}`).join(' and ');

function options(select, values, text) {
  select.replaceChildren(...values.map((value) => new Option(text(value), value)));
}

function choose() {
  const [kind, algorithm, rival] = [by('kind').value, by('algorithm').value, by('rival').value];
  const picked = (rival === 'none') ? [algorithm] : [algorithm, rival];
  lanes = picked.map((name, i) => {
    const rule = find(kind, name);
    const title = (i && rival === algorithm) ? `${words(name)} again` : words(name);
    return new Lane(rule, counted[rule.id] ?? {}, title);
  });
  by('lanes').replaceChildren(...lanes.map((lane) => lane.root));
  const rule = lanes[0].rule;
  by('rule-says').textContent =
    `The limit is ${limits(rule)}. While Redis does not answer, ${POLICIES[rule.onStoreFailure]}.`;
}

const number = (id) => Math.min(by(id).max, Math.max(1, Number(by(id).value) || 1));

/** Sends the same traffic to all lanes, and returns a summary of the results. */
async function send(count) {
  const sent = lanes;
  const name = player();
  const results = await Promise.all(sent.map(async (lane) => {
    let admitted = 0;
    let left = count;
    const worker = async () => {
      while (left-- > 0) {
        const answer = await lane.send(name);
        admitted += answer.admitted ? 1 : 0;
      }
    };
    await Promise.all(Array.from({length: Math.min(AT_ONCE, count)}, worker));
    return `${lane.find('h2').textContent}: ${admitted} admitted, ${count - admitted} refused`;
  }));
  return `Sent ${count}. ${results.join('. ')}.`;
}

async function report(count) {
  try {
    say(await send(count));
  } catch {
    say('The application does not answer.');
  }
}

function toggleSteady() {
  const button = by('steady');
  if (steady) {
    clearInterval(steady);
    steady = undefined;
    const totals = lanes.map((lane) =>
      `${lane.find('h2').textContent}: ${lane.find('.admitted').textContent} admitted, ${lane.find('.refused').textContent} refused`);
    say(`Stopped. ${totals.join('. ')}.`);
  } else {
    const rate = number('rate');
    steady = setInterval(() => send(1).catch(() => say('The application does not answer.')), 1000 / rate);
    say(`Sending ${rate} a second.`);
  }
  button.setAttribute('aria-pressed', String(Boolean(steady)));
  button.textContent = steady ? 'Stop steady rate' : 'Start steady rate';
}

async function setAlive(node, button) {
  button.setAttribute('aria-disabled', 'true');
  const changed = await api.setAlive(node.number, !node.alive);
  await refresh();
  say(changed ? `Node ${node.number} is ${changed.alive ? 'alive again' : 'killed'}.` : `Node ${node.number} could not be changed.`);
  button.removeAttribute('aria-disabled');
}

/** Buttons are reused, so that the keyboard focus stays where it is. */
function showNodes(nodes) {
  by('cluster').hidden = false;
  nodes.forEach((node, i) => {
    const row = by('nodes').children[i] ?? by('nodes').appendChild(newNode());
    const holds = lanes.filter((lane) => lane.owner === node.number).length;
    row.querySelector('.name').textContent = `Node ${node.number}, ${node.address}`;
    const state = row.querySelector('.state');
    state.textContent = node.alive ? 'alive' : 'dead';
    state.className = `state ${state.textContent}`;
    row.querySelector('.holds').textContent = holds ? 'holds your key' : '';
    const button = row.querySelector('button');
    button.textContent = `${node.alive ? 'Kill' : 'Revive'} node ${node.number}`;
    button.classList.toggle('kill', node.alive);
    button.onclick = () => button.hasAttribute('aria-disabled') || setAlive(node, button);
  });
}

function newNode() {
  const row = document.createElement('li');
  ['name', 'state', 'holds'].forEach((part) => {
    const line = document.createElement('p');
    line.className = part;
    row.append(line);
  });
  const button = document.createElement('button');
  button.type = 'button';
  row.append(button);
  return row;
}

async function refresh() {
  const turn = ++turns;
  const [nodes, sources] = await Promise.all([embedded ? api.nodes() : undefined, api.sources()]);
  embedded = nodes !== undefined;
  counted = sources;
  await Promise.all(lanes.map((lane) => lane.refresh(player(), nodes, sources)));
  // A reply that was requested before a node changed is outdated.
  if (nodes && turn === turns) {
    showNodes(nodes);
  }
}

async function poll() {
  try {
    await refresh();
  } catch {
    lanes.forEach((lane) => lane.tick());
  }
  setTimeout(poll, POLL_MILLIS);
}

async function start() {
  rules = (await api.rules()).filter((rule) => rule.id.startsWith('play-') && rule.enabled);
  const algorithms = [...new Set(rules.map((rule) => rule.algorithm))];
  by('player').value = `player-${Math.floor(Math.random() * 10000)}`;
  options(by('kind'), kinds(), (kind) => `${limits(find(kind, algorithms[0]))}, ${find(kind, algorithms[0]).onStoreFailure} without Redis`);
  options(by('algorithm'), algorithms, words);
  options(by('rival'), ['none', ...algorithms], words);
  ['kind', 'algorithm', 'rival'].forEach((id) => by(id).addEventListener('change', choose));
  by('traffic').addEventListener('submit', (event) => { event.preventDefault(); report(1); });
  by('one').addEventListener('click', () => report(1));
  by('burst').addEventListener('click', () => report(number('burst-size')));
  by('steady').addEventListener('click', toggleSteady);
  counted = await api.sources();
  choose();
  poll();
}

start().catch(() => say('The rules cannot be read.'));
