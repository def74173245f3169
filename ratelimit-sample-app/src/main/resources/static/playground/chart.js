// A lane over time: its requests, the window that counts them, what is left, and when the next one is admitted.

import {element, mark} from './svg.js';

const PAD = 10;
const AXIS = 18;
const TOP = 17;
const DENSE = 40;   // from so many marks on, they are drawn in columns

/** `view` is {from, to, cursor, begin}: the times at the edges, the time that is shown, and the begin of the story. */
export function draw(svg, lane, view) {
  const {clientWidth: width, clientHeight: height} = svg;
  const bottom = height - AXIS;
  const roomy = height > 200 && width > 300;
  const strip = roomy ? 34 : 16;
  const ground = bottom - strip - 24;
  const x = (time) => PAD + (width - 2 * PAD) * (time - view.from) / (view.to - view.from);
  const inside = (time) => Math.min(width, Math.max(0, x(time)));
  const text = (at, y, anchor, content, name = '') =>
    element('text', {x: at, y, 'text-anchor': anchor, class: name}, content);
  const upright = (time, name) => element('line', {x1: x(time), x2: x(time), y1: TOP, y2: bottom, class: name});
  const band = (from, to, name) => element('rect',
    {x: inside(from), width: inside(to) - inside(from), y: TOP, height: ground - TOP + 8, class: name});
  const shapes = [];
  const labels = [];

  const [since, till] = windowAt(lane, view.cursor);
  if (till - since < 2 * (view.to - view.from)) {
    shapes.push(band(since, till, 'window'));
    const middle = (inside(since) + inside(till)) / 2;
    if (inside(till) - inside(since) > 76) {
      shapes.push(text(middle, TOP - 4, 'middle', `window ${lane.window / 1000} s`));
    }
  }
  if (lane.hasEdges) {
    for (let edge = Math.ceil(view.from / lane.window) * lane.window; edge <= view.to; edge += lane.window) {
      shapes.push(upright(edge, 'edge'));
    }
  }
  lane.outages.filter(({from}) => from < view.cursor).forEach(({from, to, label}) => {
    const end = Math.min(to ?? view.cursor, view.cursor);
    shapes.push(band(from, end, 'outage'));
    labels.push(text(inside(from) + 4, TOP + 10, 'start', label, 'outage-label'));
  });

  shapes.push(...level(lane, view, x, bottom, strip),
    element('line', {x1: 0, x2: width, y1: bottom, y2: bottom, class: 'axis'}));
  const step = (view.to - view.from) / width > 45 ? 5 : 2;
  for (let second = 0; view.begin + second * 1000 <= view.to; second += step) {
    const at = x(view.begin + second * 1000);
    if (at >= 2 * PAD && at <= width - 2 * PAD) {
      shapes.push(text(at, height - 4, 'middle', `${second} s`));
    }
  }
  const next = lane.sampleAt(view.cursor, 'next');
  if (next > view.cursor && next < view.to) {
    const right = x(next) < width - 36;
    shapes.push(upright(next, 'next'), text(x(next) + (right ? 4 : -4), TOP + 10, right ? 'start' : 'end', 'next', 'next-label'));
  }
  shapes.push(upright(view.cursor, 'cursor'), ...dots(lane, view, x, ground, [since, till], roomy ? 1.35 : 1), ...labels);
  svg.replaceChildren(...shapes);
}

/** The time whose requests count at an instant. */
function windowAt({algorithm, window}, time) {
  if (algorithm === 'fixed-window') {
    const begin = Math.floor(time / window) * window;
    return [begin, begin + window];
  }
  return algorithm?.startsWith('sliding') ? [time - window, time] : [-Infinity, Infinity];
}

/** Requests of the same moment are stacked; those that waited have a line from when they were sent. */
function dots(lane, view, x, ground, [since, till], scale) {
  const size = 11 * scale;
  const rows = [];   // the end of the last mark in each
  const shown = lane.answers.filter(({sent}) => sent >= view.from && sent <= view.cursor).sort(order);
  const begin = x(view.begin);
  const place = (time) => (shown.length > DENSE ? begin + Math.round((x(time) - begin) / size) * size : x(time));
  const placed = shown.map((answer) => {
    const row = [...rows, -Infinity].findIndex((end) => end + size <= place(answer.sent));
    rows[row] = answer.waits ? x(Math.min(answer.done, view.to)) : place(answer.sent);
    return {answer, row};
  });
  const pitch = Math.min(size, (ground - TOP - size / 2) / rows.length);
  return placed.flatMap(({answer: {sent, done, waits, kind}, row}) => {
    const y = ground - row * pitch;
    const open = waits && !(done <= view.cursor);
    const at = waits ? x(Math.min(done, view.cursor)) : place(sent);
    const made = mark(open ? (['queued', 'handled'].includes(kind) ? 'queued' : 'pending') : kind, at, y, scale);
    const counted = waits ? done : sent;
    made.classList.toggle('past', counted < since || (!open && counted > till));
    return waits ? [element('line', {x1: x(sent), x2: at, y1: y, y2: y, class: `wait ${kind}`}), made] : [made];
  });
}

/** By the moment, and those of the same moment by how they ended. */
const order = (one, other) => moment(one) - moment(other) || refused(one) - refused(other) || (one.done < other.done ? -1 : 1);
const moment = ({sent}) => Math.floor(sent / 150);
const refused = ({kind}) => Number(['refused', 'failed'].includes(kind));

/** What is left, as the responses and the endpoint report it. */
function level(lane, view, x, bottom, strip) {
  const samples = lane.samples.filter((sample) => sample.time <= view.cursor && 'left' in sample);
  if (!lane.limit || !samples.length) {
    return [];
  }
  const y = (left) => bottom - (strip - 2) * Math.min(1, left / lane.limit);
  const steps = !lane.algorithm?.includes('bucket');
  let path = '';
  let before;
  samples.forEach(({time, left}) => {
    if (left === undefined) {
      path += before ? `V${bottom}` : '';
      before = undefined;
      return;
    }
    path += before ? (steps ? `H${x(time).toFixed(1)}V${y(left)}` : `L${x(time).toFixed(1)},${y(left)}`)
      : `M${x(time).toFixed(1)},${bottom}V${y(left)}`;
    before = {time, left};
  });
  path += before ? `H${x(view.cursor).toFixed(1)}V${bottom}` : '';
  return [element('path', {d: path, class: 'level'}), element('text', {x: 2, y: bottom - strip - 4}, `left of ${lane.limit}`)];
}
