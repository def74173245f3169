// Explanations that appear on hover and on focus, and that Escape hides.

import {element, mark} from './svg.js';

const TIPS = {
  'x-ratelimit-limit': 'The most that the most restrictive window admits at once.',
  'x-ratelimit-remaining': 'Permits that are left in that window.',
  'x-ratelimit-reset': 'Seconds until all permits of that window are available again, without further requests.',
  'ratelimit-policy': 'Every window of every rule: q permits in w seconds.',
  ratelimit: 'Every window of every rule: r permits are left; more are available after t seconds.',
  'retry-after': 'Seconds until the same request is admitted, if no other request uses the key.',
  'x-ratelimit-retry-after': 'The same as Retry-After.',
  location: 'Where a client reads the state of its stored request.',
  'content-type': 'A rejection is a problem detail (RFC 9457).',
  admitted: 'The rule acquired a permit, and the handler answered.',
  refused: 'The limit is exceeded, or the client is blocked: 429 or 403. The handler is not called.',
  delayed: 'The request waited for its turn, without a thread. The line shows for how long; a hollow mark still waits.',
  queued: 'Answered with 202 and stored in Redis. The mark is filled when the request has been handled.',
  failed: 'Redis does not answer, and the rule denies: 503.',
  window: 'The time whose requests count. Requests that it has left are pale.',
  next: 'When the next request is admitted, as the limiter reports it.',
  left: 'How many permits are left over time; of a bucket, its level.',
};

const KEYS = {
  window: element('rect', {width: 14, height: 14, class: 'window'}),
  next: element('line', {x1: 7, x2: 7, y1: 0, y2: 14, class: 'next'}),
  left: element('path', {d: 'M0,14V4H5V9H14V14z', class: 'level'}),
};

let made = 0;

/** A name with its explanation. */
export function explained(name, ...before) {
  const button = document.createElement('button');
  const tip = document.createElement('span');
  const root = document.createElement('span');
  tip.id = `tip-${++made}`;
  tip.role = 'tooltip';
  tip.textContent = TIPS[name] ?? '';
  button.type = 'button';
  button.className = 'term';
  button.setAttribute('aria-describedby', tip.id);
  button.append(...before, name);
  button.addEventListener('keydown', ({key}) => key === 'Escape' && root.classList.add('hidden'));
  ['blur', 'pointerenter'].forEach((event) => button.addEventListener(event, () => root.classList.remove('hidden')));
  root.className = 'explained';
  root.append(button, tip);
  return root;
}

/** The marks of every story, and those that only some have. */
export const legend = (marks) => ['admitted', 'refused', ...marks, 'window', 'left', 'next'].map((name) => {
  const item = document.createElement('li');
  item.append(explained(name, element('svg', {width: 14, height: 14, 'aria-hidden': true}, KEYS[name] ?? mark(name, 7, 7))));
  return item;
});
