/** An element of a picture. */
export function element(name, attributes, ...content) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...content);
  return made;
}

/** What tells the kinds of answers apart, besides their colours. */
const SHAPES = {
  admitted: 'M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z',
  refused: 'M-3.5,-3.5L3.5,3.5M-3.5,3.5L3.5,-3.5',
  delayed: 'M-3.5,-4.5L4.5,0L-3.5,4.5z',
  queued: 'M0,-5L5,0L0,5L-5,0z',
  handled: 'M0,-5L5,0L0,5L-5,0z',
  failed: 'M-3.5,-3.5h7v7h-7z',
  pending: 'M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0z',
};

export const mark = (kind, x, y, scale = 1) => element('path',
  {d: SHAPES[kind], class: `mark ${kind}`, transform: `translate(${x.toFixed(1)},${y.toFixed(1)}) scale(${scale})`});
