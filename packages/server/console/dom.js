/** @typedef {Node | string | number | null | undefined | false} Leaf nothing is shown for null, undefined and false */
/** @typedef {Leaf | readonly Leaf[]} Child */

/**
 * Makes an element. Text is always text: nothing here reads markup.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, unknown>} [attributes] `on…` are listeners; false, null and undefined are left out
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (attribute.startsWith('on')) element.addEventListener(attribute.slice(2), /** @type {EventListener} */ (value));
    else if (attribute === 'value' && 'value' in element) element.value = String(value);
    else element.setAttribute(attribute, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

/**
 * Makes an SVG element.
 *
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  element.append(...children);
  return element;
}

/**
 * Puts children in the place of what an element holds.
 *
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** An id that no other element has. */
export function uniqueId() {
  ids += 1;
  return `i${ids}`;
}

// --- internal ---

let ids = 0;

/** @param {Element} element @param {readonly Child[]} children */
function append(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}
