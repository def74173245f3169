// One rule under the traffic of one client: its requests, what is left, its last response, its key in Redis.

import * as api from './api.js';
import {draw} from './chart.js';
import {mark, element} from './svg.js';
import {storedKey} from './player.js';
import {explained} from './tips.js';

const WAITED_MILLIS = 250;
const PLACES = {store: 'counted in Redis', local: 'locally', memory: 'in memory', lease: 'by lease', none: 'nowhere'};
const OF_DATA_CENTRES = [{threshold: 60, window: '1d'}];   // their rule is not in this application
const UNITS = {ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000};

export class Lane {

  constructor(spec, rule, client) {
    Object.assign(this, spec, {algorithm: rule?.algorithm ?? 'fixed-window', client, outages: []});
    const plan = rule?.plans[this.plan];
    const [{threshold, window, burst = threshold}] = plan?.thresholds ?? rule?.thresholds ?? OF_DATA_CENTRES;
    this.window = Number.parseInt(window) * UNITS[window.replace(/\d+/, '')];
    this.limit = plan?.allowance === 'blocked' ? 0 : burst;
    this.hasEdges = ['fixed-window', 'sliding-window-counter'].includes(this.algorithm);
    this.delays = rule?.onLimit === 'delay';
    this.title = this.name ?? this.algorithm;
    this.answers = [];
    this.samples = [];
    this.root = document.getElementById('lane').content.firstElementChild.cloneNode(true);
    this.detail = document.getElementById('detail').content.firstElementChild.cloneNode(true);
    this.root.querySelector('h3').textContent = this.title;
    this.root.querySelector('small').textContent = !this.limit ? 'blocked'
      : `${threshold}/${window}${burst > threshold ? `, burst ${burst}` : ''}`;
    this.detail.querySelector('h3').textContent = `${this.title}: ${this.rule}`;
    this.detail.querySelector('.yaml pre').setAttribute('aria-label', `Rule of ${this.title}`);
    this.detail.querySelector('.content').setAttribute('aria-label', `Key of ${this.title}`);
    this.detail.querySelector('.copy').setAttribute('aria-label', `Copy the rule of ${this.title}`);
    this.detail.querySelector('.copy').addEventListener('click', ({target}) =>
      navigator.clipboard.writeText(this.yaml).then(() => { target.textContent = 'Copied'; }));
    api.yaml(this.rule).then((yaml) => {
      this.yaml = yaml;
      this.detail.querySelector('.yaml pre').textContent = yaml;
    });
    this.showTotals();
  }

  count(kind) {
    return this.answers.filter((answer) => answer.kind === kind).length;
  }

  get lastActivity() {
    return Math.max(0, ...this.answers.map(({sent, done}) => (done < Infinity ? done : sent)));
  }

  get isOpen() {
    return this.answers.some(({done}) => done === Infinity);
  }

  /** The requests of a rule that delays are shown before they are answered. */
  send(count, everyMillis, signal) {
    const sent = Date.now();
    const pending = this.delays && !everyMillis
      ? Array.from({length: count}, () => ({sent, done: Infinity, kind: 'pending', waits: true})) : [];
    this.answers.push(...pending);
    signal?.addEventListener('abort', () => { this.answers = this.answers.filter((each) => !pending.includes(each)); });
    return api.send(this, count, everyMillis, signal, (answer) => {
      const replaced = pending.pop();
      this.answers = this.answers.filter((each) => each !== replaced);
      this.add(answer);
    });
  }

  add({sent, answered, status, headers, body}) {
    const answer = {sent, done: answered, kind: Lane.kind(status)};
    answer.waits = answer.kind === 'queued' || (this.delays && answer.kind === 'admitted' && answered - sent > WAITED_MILLIS);
    if (answer.kind === 'queued') {
      answer.done = Infinity;
      this.watch(answer, headers.location);
    } else if (answer.waits) {
      answer.kind = 'delayed';
    }
    this.answers.push(answer);
    this.last = {status, headers, body};
    // A delayed request reports what was left when it came.
    const left = headers.ratelimit?.match(`"${this.rule}";r=(\\d+)`)?.[1];
    this.sample({time: answer.waits ? sent : answered, left: left && Number(left)});
    this.showTotals();
    this.showLast();
  }

  static kind(status) {
    return status === 202 ? 'queued' : status >= 200 && status < 300 ? 'admitted' : status >= 500 || !status ? 'failed' : 'refused';
  }

  /** Until a stored request has been handled. */
  async watch(answer, location) {
    while (!await api.isHandled(location).catch(() => true)) {
      await new Promise((resolve) => { setTimeout(resolve, 500); });
    }
    Object.assign(answer, {kind: 'handled', done: Date.now()});
    this.showTotals();
  }

  sample(sample) {
    this.samples.push(sample);
    this.samples.sort((one, other) => one.time - other.time || other.left - one.left);
  }

  /** What was reported last before an instant. */
  sampleAt(time, what) {
    return this.samples.findLast((sample) => sample.time <= time && what in sample)?.[what];
  }

  async poll() {
    if (this.to?.length === 1) {
      return;   // a data centre has a Redis of its own
    }
    const asked = Date.now();
    const {client} = this;
    const usage = await api.usage(this);
    if (client !== this.client) {
      return;
    }
    const time = (asked + Date.now()) / 2;
    const window = usage?.windows?.[0];
    this.hash = usage?.client ?? this.hash;
    this.sample({time, ...window && {left: window.remaining}, next: window?.retryInMillis ? time + window.retryInMillis : undefined});
  }

  async readStored() {
    const {client} = this;
    const stored = await storedKey(this);
    if (client === this.client && stored) {
      Object.assign(this, {stored, hash: stored.hash});
    }
  }

  showTotals() {
    const kinds = ['admitted', 'delayed', 'queued', 'handled', 'refused', 'failed'];
    const shown = kinds.filter((kind) => this.count(kind) || kind === 'admitted' || kind === 'refused');
    this.totals = shown.map((kind) => `${this.count(kind)} ${kind}`).join(', ');
    this.root.querySelector('.totals').replaceChildren(...shown.map((kind) => {
      const total = document.createElement('span');
      total.className = `total-${kind}`;
      total.append(element('svg', {width: 14, height: 14, 'aria-hidden': true}, mark(kind, 7, 7)), `${this.count(kind)} ${kind}`);
      return total;
    }));
  }

  showLast() {
    const {status, headers, body} = this.last;
    const detail = JSON.parse(body.startsWith('{') ? body : '{}').detail;
    this.detail.querySelector('.status').textContent = `HTTP ${status}${detail ? `: ${detail}` : ''}`;
    this.detail.querySelector('.headers').replaceChildren(...Object.entries(headers).sort().flatMap(([name, value]) => {
      const [term, text] = [document.createElement('dt'), document.createElement('dd')];
      term.append(explained(name));
      text.textContent = value;
      return [term, text];
    }));
  }

  /** `sources` are the decisions of the rule by source, and `shadowed` what it would have refused. */
  showFacts(view, sources, shadowed) {
    const [left, next] = [this.sampleAt(view.cursor, 'left'), this.sampleAt(view.cursor, 'next')];
    const parts = [];
    if (left !== undefined) {
      parts.push(`${left} left`);
    }
    if (next > view.cursor) {
      parts.push(`next in ${((next - view.cursor) / 1000).toFixed(1)} s`);
    }
    if (this.calls !== undefined) {
      parts.push(`${this.calls} calls to Redis`);
    } else if (Object.keys(sources).some((source) => source !== 'store')) {
      parts.push(`${Object.entries(sources).map(([source, count]) => `${count} ${PLACES[source]}`).join(', ')}`);
    }
    if (shadowed) {
      parts.push(`${shadowed} would be refused`);
    }
    this.root.querySelector('.facts').textContent = parts.join(' \u00b7 ');
  }

  draw(view) {
    const svg = this.root.querySelector('.chart');
    this.root.querySelector('.empty').hidden = Boolean(view);
    svg.setAttribute('aria-label', `Requests of ${this.title} over time: ${this.totals}`);
    if (view) {
      draw(svg, this, view);
    } else {
      svg.replaceChildren();
    }
  }

  showStored(nodes) {
    if (!this.stored) {
      return;
    }
    const {key, slot, address, content} = this.stored;
    this.owner = nodes.find((node) => node.address === address);
    this.detail.querySelector('.stored').hidden = false;
    this.detail.querySelector('.owner').textContent = `Key ${key}, slot ${slot}, on node ${this.owner?.number ?? '?'} (${address})`;
    this.detail.querySelector('.content').textContent = !content ? 'The node does not answer.'
      : content.type === 'none' ? 'No key: nothing counts now.'
        : [`${content.type}, expires in ${content.expiresInMillis} ms`, content.text ?? [],
          ...content.entries.map(({permit, micros}) => `${permit}  ${new Date(micros / 1000).toISOString().slice(11, 23)}`)].flat().join('\n');
  }

}
