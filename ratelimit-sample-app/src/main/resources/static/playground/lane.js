// One rule under traffic: its chart, what remains, its last response, its key in Redis.

import * as api from './api.js';
import {draw} from './chart.js';

const KEPT = 5000;

export class Lane {

  constructor(rule, sourcesBefore, title) {
    this.rule = rule;
    this.answers = [];
    this.sourcesBefore = sourcesBefore;
    this.root = document.getElementById('lane').content.firstElementChild.cloneNode(true);
    this.find('h2').textContent = title;
    this.root.setAttribute('aria-label', title);
    this.find('.answer').setAttribute('aria-label', `Last response of ${title}`);
    this.find('.content').setAttribute('aria-label', `Content of the key of ${title}`);
    this.tick();
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  async send(player) {
    const answer = await api.play(this.rule, player);
    this.answers.push({second: Math.floor(Date.now() / 1000), admitted: answer.admitted});
    this.answers.splice(0, this.answers.length - KEPT);
    const kind = answer.admitted ? '.admitted' : '.refused';
    this.find(kind).textContent = Number(this.find(kind).textContent) + 1;
    this.find('.answer').textContent = [`HTTP ${answer.status}`, ...answer.shown, '', answer.body].join('\n');
    this.tick();
    return answer;
  }

  tick() {
    draw(this.find('.chart'), this.answers, Date.now());
  }

  async refresh(player, nodes, sources) {
    this.tick();
    this.showSources(sources[this.rule.id] ?? {});
    const usage = await api.usage(this.rule.id, player);
    this.showWindows(usage?.windows);
    if (usage) {
      this.client = {player, hash: usage.client};
    }
    // If the node that could report the hash is down, the hash of an earlier reply is used.
    if (nodes && this.client?.player === player) {
      this.showStored(await api.stored(this.rule.id, this.client.hash), nodes);
    }
  }

  showWindows(windows) {
    this.find('.windows').replaceChildren(...(windows ?? []).map((window) => {
      const row = document.createElement('li');
      const name = document.createElement('span');
      name.textContent = `${window.threshold} in ${window.window}`;
      const left = document.createElement('b');
      left.textContent = `${window.remaining} left`;
      const meter = document.createElement('meter');
      meter.max = window.burst ?? window.threshold;
      meter.value = window.remaining;
      meter.setAttribute('aria-label', `Remaining of ${name.textContent}`);
      row.append(name, left, meter);
      return row;
    }));
    if (!windows) {
      const away = document.createElement('li');
      away.textContent = 'Redis does not answer for this key.';
      this.find('.windows').append(away);
    }
  }

  showSources(now) {
    const parts = Object.entries(now)
      .map(([source, count]) => [source, count - (this.sourcesBefore[source] ?? 0)])
      .filter(([, count]) => count > 0)
      .map(([source, count]) => `${source} ${count}`);
    this.find('.sources').textContent = parts.join(', ') || 'Nothing yet';
  }

  showStored(stored, nodes) {
    if (!stored) {
      return;
    }
    this.find('.stored').hidden = false;
    const node = nodes.find(({address}) => address === stored.address);
    this.find('.owner').textContent =
      `Key ${stored.key}, slot ${stored.slot}, on node ${node?.number ?? '?'} (${stored.address})`;
    this.owner = node?.number;
    this.find('.content').textContent = Lane.content(stored.content);
  }

  static content(content) {
    if (!content) {
      return 'The node does not answer.';
    }
    if (content.type === 'none') {
      return 'No key: nothing counts now.';
    }
    const entries = content.entries.map(({permit, micros}) =>
      `${permit}  ${new Date(micros / 1000).toISOString().slice(11, 23)}`);
    const held = (content.type === 'zset') ? [`sorted set of ${entries.length}`, ...entries]
      : [content.type, content.text];
    return [`expires in ${content.expiresInMillis} ms`, ...held].join('\n');
  }

}
