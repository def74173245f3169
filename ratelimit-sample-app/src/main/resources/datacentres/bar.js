// What both admit, beside the limit and the bound.

import {element} from '../playground/svg.js';

const WIDTH = 600;
const TOP = 24;
const HEIGHT = 26;
const SCALE = 1.1;

export function draw(svg, state) {
  const x = (permits) => WIDTH * permits / (state.bound * SCALE);
  const shapes = [element('rect', {x: 0, y: TOP, width: x(state.bound), height: HEIGHT, class: 'room'})];
  let begin = 0;
  state.sides.forEach(({name, admitted}) => {
    if (admitted) {
      shapes.push(element('rect', {x: x(begin), y: TOP, width: x(admitted), height: HEIGHT, class: `of-${name}`}),
        element('text', {x: x(begin) + 2, y: TOP + HEIGHT + 18}, `${name} ${admitted}`));
    }
    begin += admitted;
  });
  const mark = (permits, name, anchor) => {
    shapes.push(element('line', {x1: x(permits), x2: x(permits), y1: TOP - 6, y2: TOP + HEIGHT + 4, class: name}),
      element('text', {x: x(permits), y: TOP - 10, 'text-anchor': anchor}, `${name} ${permits}`));
  };
  mark(state.threshold, 'limit', 'end');
  mark(state.bound, 'bound', 'middle');
  const parts = state.sides.map(({name, admitted}) => `${admitted} by ${name}`).join(' and ');
  svg.setAttribute('aria-label', `${parts} admitted; the limit is ${state.threshold}, the bound ${state.bound}`);
  svg.replaceChildren(...shapes);
}
