/** An element of a picture. */
export function element(name, attributes, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}
