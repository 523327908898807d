/** @typedef {import('./texts.js').TextName} TextName */
/** @typedef {{ [name: string]: unknown }} Draft what a form holds: a body with the texts as they are typed */
/** @typedef {{ readonly code: string, readonly description: string, readonly [name: string]: unknown }} CatalogEntry */

/**
 * A field of a form, as data. A section has fields of its holder, a group an object of its own, a list several.
 *
 * @typedef {object} Field
 * @property {'text' | 'amount' | 'integer' | 'date' | 'email' | 'choice' | 'check' | 'rate' | 'output' | 'section' | 'group' | 'list'} kind
 * @property {string} name in the body; of a section and an output, in the form alone
 * @property {TextName} [label] the text with the name of the field, if absent
 * @property {TextName} [hint]
 * @property {boolean} [required] a check that is not ticked is false then, and not absent
 * @property {boolean} [folded] in a fold, which opens where it holds something
 * @property {number} [max] characters
 * @property {string} [pattern]
 * @property {string} [catalog] whose codes a choice offers and a text suggests
 * @property {readonly string[]} [codes] the offered codes; absent, all of the catalog
 * @property {string} [texts] prefix of the texts of codes without a catalog
 * @property {boolean} [coded] a choice shows its codes
 * @property {string} [initial] what a new document has
 * @property {(entry: CatalogEntry, row: Draft) => boolean} [suggested] whether an entry of the catalog is offered
 * @property {(row: Draft, holder: Draft, catalog: readonly CatalogEntry[]) => Draft} [fill] other values of the row, after a
 *   change; it may change the holder as well
 * @property {(row: Draft, holder: Draft) => boolean} [shown] absent, always
 * @property {(row: Draft) => boolean} [locked] absent, never
 * @property {(row: Draft, holder: Draft) => string} [text] of an output
 * @property {readonly Preset[]} [presets] of a group
 * @property {readonly Field[]} [fields] of a section, a group or each entry of a list
 * @property {TextName} [add] of a list
 * @property {TextName} [remove] of a list
 * @property {string} [look] the class of the first fields of each entry of a list, which stand in one row
 * @property {(holder: Draft) => void} [altered] after an entry of a list came or went
 * @property {(row: Draft) => string | null} [note] under an entry of a list
 * @property {(entry: Draft | null) => Draft} [open] an entry of a list as its row of the form; null for a new one
 * @property {(rows: readonly Draft[]) => readonly unknown[]} [read] the entries of a list
 */

/**
 * Values that go together: a button sets them all, and so does the choice of the first.
 *
 * @typedef {object} Preset
 * @property {TextName} label
 * @property {Readonly<Record<string, string>>} values
 */

/**
 * A body as a form holds it. What the form does not show stays in it.
 *
 * @param {readonly Field[]} fields
 * @param {Draft} body
 * @returns {Draft}
 */
export function openDraft(fields, body) {
  /** @type {Draft} */
  const draft = { ...body };
  for (const field of fields) {
    const { kind, name, fields: inner = [], initial } = field;
    const value = draft[name] ?? null;
    if (kind === 'section') Object.assign(draft, openDraft(inner, draft));
    else if (kind === 'group') draft[name] = openDraft(inner, /** @type {Draft} */ (value ?? {}));
    else if (kind === 'list') {
      const given = /** @type {readonly Draft[]} */ (value ?? []);
      const entries = given.length === 0 && field.required ? [null] : given;
      draft[name] = entries.map((entry) => openRow(field, entry));
    } else if (value === null && initial !== undefined) draft[name] = initial;
  }
  return draft;
}

/** An entry of a list as its row of the form. @param {Field} list @param {Draft | null} entry null for a new one */
export function openRow({ fields = [], open }, entry) {
  return openDraft(fields, open ? open(entry) : (entry ?? {}));
}

/**
 * The body that a form describes: what its fields say, and what it does not show. Empty fields are absent.
 *
 * @param {readonly Field[]} fields
 * @param {Draft} draft
 * @param {Draft} [holder] the draft that has this one
 * @returns {Draft}
 */
export function readBody(fields, draft, holder = draft) {
  /** @type {Draft} */
  let body = { ...draft };
  for (const field of fields) {
    if (field.kind === 'section') {
      body = readBody(field.fields ?? [], body, holder);
      continue;
    }
    const isShown = field.shown?.(draft, holder) ?? true;
    const value = isShown ? readValue(field, draft[field.name], draft) : undefined;
    if (value === undefined) delete body[field.name];
    else body[field.name] = value;
  }
  return body;
}

/** The catalogs that the fields name. @param {readonly Field[]} fields @returns {string[]} */
export function catalogsOf(fields) {
  const named = fields.flatMap(({ kind, catalog, fields: inner = [] }) => [
    ...(kind === 'rate' ? ['tax-rates'] : catalog ? [catalog] : []),
    ...catalogsOf(inner),
  ]);
  return [...new Set(named)];
}

/** The parts of a body that a form keeps without showing them. @param {readonly Field[]} fields @param {Draft} body */
export function hiddenParts(fields, body) {
  const shown = new Set(['documentType', 'issueDate', ...namesOf(fields)]);
  return Object.keys(body).filter((name) => !shown.has(name) && !isEmpty(body[name]));
}

/** A number as it is typed here, with a comma or a point, as a body has it. @param {unknown} text */
export function plain(text) {
  return String(text ?? '')
    .trim()
    .replace(',', '.');
}

// --- internal ---

/** @param {Field} field @param {unknown} value @param {Draft} holder */
function readValue({ kind, fields = [], required, read }, value, holder) {
  if (kind === 'output') return undefined;
  if (kind === 'check') return value ?? (required ? false : undefined);
  if (kind === 'group') {
    const inner = readBody(fields, /** @type {Draft} */ (value ?? {}), holder);
    return required || !isEmpty(inner) ? inner : undefined;
  }
  if (kind === 'list') {
    const rows = /** @type {readonly Draft[]} */ (value ?? []);
    const entries = read
      ? read(rows)
      : rows.map((row) => readBody(fields, row, holder)).filter((entry) => !isEmpty(entry));
    return entries.length > 0 ? entries : undefined;
  }
  const text = String(value ?? '').trim();
  if (text === '') return undefined;
  if (kind === 'integer') return Number(text);
  return kind === 'amount' ? plain(text) : text;
}

/** @param {readonly Field[]} fields @returns {string[]} */
function namesOf(fields) {
  return fields.flatMap(({ kind, name, fields: inner = [] }) => (kind === 'section' ? namesOf(inner) : [name]));
}

/** @param {unknown} value @returns {boolean} */
function isEmpty(value) {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}
