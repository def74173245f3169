// Admitted and refused per second, over the last half minute, drawn by hand.

import {element} from './svg.js';

const SECONDS = 30;
const WIDTH = 600;
const BOTTOM = 110;
const TOP = 16;

/** `answers` are {second, admitted}; they are grouped by the second in which they arrived. */
export function draw(svg, answers, now) {
  const first = Math.floor(now / 1000) - SECONDS + 1;
  const bars = Array.from({length: SECONDS}, () => ({admitted: 0, refused: 0}));
  answers.filter(({second}) => second >= first && second < first + SECONDS)
    .forEach(({second, admitted}) => { bars[second - first][admitted ? 'admitted' : 'refused']++; });
  const most = Math.max(5, ...bars.map((bar) => bar.admitted + bar.refused));
  const height = (count) => (BOTTOM - TOP) * count / most;
  const slot = WIDTH / SECONDS;
  const shapes = [
    element('line', {x1: 0, x2: WIDTH, y1: BOTTOM, y2: BOTTOM}),
    element('line', {x1: 0, x2: WIDTH, y1: TOP, y2: TOP}),
    element('text', {x: 0, y: TOP - 4}, `${most} a second`),
    element('text', {x: 0, y: BOTTOM + 15}, `${SECONDS} s ago`),
    element('text', {x: WIDTH, y: BOTTOM + 15, 'text-anchor': 'end'}, 'now'),
  ];
  bars.forEach((bar, i) => {
    const box = (count, y, kind) => element('rect',
      {x: i * slot + 2, width: slot - 4, y, height: height(count), class: `bar-${kind}`});
    if (bar.admitted) {
      shapes.push(box(bar.admitted, BOTTOM - height(bar.admitted), 'admitted'));
    }
    if (bar.refused) {
      shapes.push(box(bar.refused, BOTTOM - height(bar.admitted + bar.refused), 'refused'));
    }
  });
  const sum = (kind) => bars.reduce((all, bar) => all + bar[kind], 0);
  svg.setAttribute('aria-label',
    `In the last ${SECONDS} seconds: ${sum('admitted')} admitted, ${sum('refused')} refused`);
  svg.replaceChildren(...shapes);
}
