import * as api from './api.js';
import {Lane} from './lane.js';
import {narration, pause, verbs} from './player.js';
import {stories} from './stories.js';
import {showLine, showNodes} from './switches.js';
import {legend} from './tips.js';

const POLL_MILLIS = 300;
const REFRESH_MILLIS = 1000;
const FRAME_MILLIS = matchMedia('(prefers-reduced-motion: reduce)').matches ? 1000 : 100;
const AFTER_MILLIS = 1500;   // so long the picture goes on after the last answer

const by = (id) => document.getElementById(id);
const say = (text) => { by('said').textContent = text; };
const name = `p${Math.floor(Math.random() * 10_000)}`;

let rules = [];
let nodes;             // undefined: this Redis is not ours to kill
let story;
let lanes = [];
let run;               // {signal, abort} of the steps that are under way
let runs = 0;
let begin;             // of the story, on the time axis
let looked;            // an earlier time that is looked at
let ended;             // the end of the steps
let drawn;             // what the charts show
let before = [];       // the decisions before the run
let decided = [];      // and those until now

function select(chosen) {
  story = chosen;
  document.querySelectorAll('#stories button').forEach((button) =>
    button.setAttribute('aria-current', String(button.id === `story-${story.id}`)));
  const {offsetLeft, offsetWidth, parentNode} = by(`story-${story.id}`);
  const strip = parentNode.closest('nav');
  strip.scrollLeft = offsetLeft - (strip.clientWidth - offsetWidth) / 2;
  by('story-title').textContent = story.title;
  by('says').textContent = story.says.join(' ');
  by('choices').hidden = !story.choices;
  by('cluster').hidden = !nodes || story.group === 'DATACENTRES';
  by('line').hidden = story.group !== 'DATACENTRES';
  history.replaceState(null, '', `#${story.id}`);
  reset();
}

/** Fresh lanes, with clients that have used nothing. */
function reset() {
  run?.abort(new DOMException('Reset', 'AbortError'));
  run = undefined;
  begin = undefined;
  looked = undefined;
  ended = 0;
  runs++;
  lanes = story.lanes.map((spec, i) => {
    const rule = story.choices ? by('choices').querySelectorAll('select')[i].value : spec.rule;
    const as = story.choices ? `${i}` : spec.as;
    return new Lane({...spec, rule}, rules.find(({id}) => id === rule), [name, runs, as].filter(Boolean).join('-'));
  });
  by('legend').replaceChildren(...legend(story.marks ?? []));
  by('lanes').dataset.count = lanes.length;
  by('lanes').replaceChildren(...lanes.map((lane) => lane.root));
  by('details').replaceChildren(...lanes.map((lane) => lane.detail));
  say('');
}

async function play() {
  reset();
  const mine = new AbortController();
  run = mine;
  const {signal} = mine;
  try {
    await prepare();
    signal.throwIfAborted();
    const steps = async (all) => {
      for (const [verb, ...values] of all) {
        say(narration(verb, ...values));
        await verbs[verb]({lanes, nodes, signal, setAlive, setCut}, ...values);
        signal.throwIfAborted();
      }
    };
    await steps(story.first ?? []);
    await start();
    await steps(story.steps);
    say(`Done. ${summary()}.`);
  } catch (failure) {
    if (failure.name !== 'AbortError') {
      say('The application does not answer.');
    }
  } finally {
    if (run === mine) {
      run = undefined;
      ended = Date.now();
    }
  }
}

function summary() {
  const admitted = (lane) => lane.count('admitted') + lane.count('delayed');
  const each = `Admitted: ${lanes.map((lane) => `${lane.title} ${admitted(lane)}`).join(', ')}`;
  if (lanes.length === 1) {
    return lanes[0].totals;
  }
  return story.group ? `${each}; together ${lanes.reduce((sum, lane) => sum + admitted(lane), 0)}` : each;
}

/** Applications of other stories stop, as instances share what is counted locally. */
async function prepare() {
  if (story.group || (await api.applications())?.running.length) {
    say(story.group ? 'Starting two more applications …' : '');
    await api.runGroup(story.group ?? 'NONE');
  }
}

async function start() {
  before = await api.meter('ratelimit_requests');
  begin = Date.now();
}

async function send({count, every}) {
  try {
    if (!begin) {
      await prepare();
      await start();
    }
    say(every ? `Sending ${count} requests, ${1000 / every} a second …` : `Sending ${count} …`);
    await Promise.all(lanes.map((lane) => lane.send(Number(count), Number(every ?? 0))));
    say(`Done. ${summary()}.`);
  } catch {
    say('The application does not answer.');
  }
}

async function setAlive(address, alive) {
  const node = nodes.find((each) => each.address === address);
  const from = Date.now();
  const changed = await api.setAlive(node.number, alive);
  await refresh();
  mark(alive, from, 'node killed', (lane) => lane.owner?.address === address);
  say(changed ? `Node ${node.number} is ${changed.alive ? 'alive again' : 'killed'}.` : `Node ${node.number} could not be changed.`);
}

async function setCut(cut) {
  const from = Date.now();
  await api.cutLine(cut);
  await refresh();
  mark(!cut, from, 'line cut', () => true);
  say(cut ? 'The line is cut.' : 'The line is whole again.');
}

/** The time in which a lane is on its own. */
function mark(ends, from, label, concerns) {
  lanes.filter(concerns).forEach(({outages: ofLane}) => {
    if (ends) {
      ofLane.filter(({to}) => !to).forEach((outage) => { outage.to = Date.now(); });
    } else if (ofLane.every(({to}) => to)) {
      ofLane.push({from, label});
    }
  });
}

async function refresh() {
  const [alive, state, ...owners] = await Promise.all([
    nodes && api.nodes(), story.group === 'DATACENTRES' && api.applications(),
    ...lanes.map((lane) => nodes && lane.to?.length !== 1 && lane.readStored())]);
  nodes = alive ?? nodes;
  if (nodes && owners.length) {
    lanes.forEach((lane) => lane.showStored(nodes));
    showNodes(nodes, lanes, setAlive);
  }
  if (state) {
    showLine(state.line);
  }
  if (begin) {
    decided = await api.meter('ratelimit_requests');
  }
}

/** The decisions of a rule in this run, by a tag. */
function decisions({rule}, tag, fits = () => true) {
  const sums = {};
  const add = (sign) => ({tags, value}) => {
    if (tags.rule === rule && fits(tags)) {
      sums[tags[tag]] = (sums[tags[tag]] ?? 0) + sign * value;
    }
  };
  decided.forEach(add(1));
  before.forEach(add(-1));
  return Object.fromEntries(Object.entries(sums).filter(([, count]) => count > 0));
}

const isLive = () => Boolean(run) || lanes.some((lane) => lane.isOpen || Date.now() < lane.lastActivity + AFTER_MILLIS);

/** Repeats an action, while the page is shown. */
async function repeat(action, everyMillis) {
  for (;;) {
    try {
      await (document.hidden || action());
    } catch {
      say('The application does not answer.');
    }
    await pause(everyMillis);
  }
}

function frame() {
  const end = isLive() ? Date.now() : Math.max(ended, ...lanes.map((lane) => lane.lastActivity + AFTER_MILLIS));
  const cursor = Math.max(begin, looked ?? end);
  const span = story.seconds * 1000;
  const from = Math.max(begin, Math.min(cursor - 0.85 * span, end - 0.85 * span));
  const view = begin && {begin, from, to: from + span, cursor};
  const state = JSON.stringify([view, runs, innerWidth, lanes.map((lane) => [lane.answers.length, lane.calls]), decided.length]);
  if (state !== drawn || isLive()) {
    drawn = state;
    by('time').max = begin ? end - begin : 0;
    if (!looked) {
      by('time').value = by('time').max;
    }
    by('look').hidden = !begin;
    lanes.forEach((lane) => {
      lane.draw(view);
      if (view) {
        lane.showFacts(view, lanes.some((other) => other !== lane && other.rule === lane.rule) ? {} : decisions(lane, 'source'),
          decisions(lane, 'outcome', ({shadow}) => shadow === 'true').rejected);
        lane.view = view;
      }
    });
  }
}

/** A pointer on a chart, or the slider, shows an earlier time. */
function look(time) {
  looked = time;
  frame();
}

function listen() {
  by('run').addEventListener('click', play);
  by('reset').addEventListener('click', reset);
  document.querySelectorAll('[data-count]').forEach((button) => button.addEventListener('click', () => send(button.dataset)));
  by('cut').addEventListener('click', () => setCut(by('cut').getAttribute('aria-checked') !== 'true'));
  by('time').addEventListener('input', ({target: {value, max, step}}) =>
    look(Number(value) + Number(step) > max ? undefined : begin + Number(value)));
  by('lanes').addEventListener('pointermove', ({target, clientX}) => {
    const svg = target.closest('svg.chart');
    const view = lanes[0].view;
    if (svg && begin && !isLive()) {
      const {left, width} = svg.getBoundingClientRect();
      look(view.from + (view.to - view.from) * (clientX - left - 10) / (width - 20));
    }
  });
  by('lanes').addEventListener('pointerleave', () => look(undefined));
  by('choices').addEventListener('change', reset);
}

async function open() {
  rules = await api.rules();
  nodes = await api.nodes();
  const shown = stories.filter(({needs}) => nodes || !needs);
  const compare = stories.find(({choices}) => choices);
  by('choices').querySelectorAll('select').forEach((choice, i) => {
    choice.append(...compare.choices.map((rule) =>
      new Option(rules.find(({id}) => id === rule).algorithm, rule)));
    choice.value = compare.lanes[i].rule;
  });
  by('stories').append(...shown.map((each) => {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.id = `story-${each.id}`;
    button.textContent = each.title;
    button.addEventListener('click', () => select(each));
    item.append(button);
    return item;
  }));
  listen();
  select(shown.find(({id}) => id === location.hash.slice(1)) ?? shown[0]);
  repeat(frame, FRAME_MILLIS);
  repeat(() => begin && isLive() && Promise.all(lanes.map((lane) => lane.poll())), POLL_MILLIS);
  repeat(refresh, REFRESH_MILLIS);
}

open().catch(() => say('The rules cannot be read.'));
