import { DOCUMENT_FORMS, newBody, toDocumentBody } from '../document-forms.js';
import { fill, h } from '../dom.js';
import { catalogsOf, hiddenParts, openDraft } from '../form-body.js';
import { fieldBlocks, refreshAll } from '../form-fields.js';
import { IVA } from '../line-body.js';
import { formatDecimal } from '../money.js';
import { dollars, FormError, form, later } from '../parts.js';
import { go } from '../router.js';
import { issuerPlace } from '../session.js';
import { language, t } from '../texts.js';

/** @typedef {import('../session.js').Session} Session */
/** @typedef {import('../document-forms.js').DocumentForm} DocumentForm */
/** @typedef {import('../document-forms.js').DocumentInput} DocumentInput */
/** @typedef {import('../document-forms.js').FormType} FormType */
/** @typedef {import('../document-forms.js').Original} Original */
/** @typedef {import('../form-body.js').CatalogEntry} CatalogEntry */
/** @typedef {import('../form-body.js').Draft} Draft */

/**
 * A new document, with its sums computed as one types. They are computed as the server does; it
 * computes them again and has the last word.
 *
 * @param {Session} session
 * @param {{ documentType: FormType, original?: string | null, corrects?: boolean }} wanted `original` the access key of the document
 *   that it is made on, or made from; `corrects` where that one is made again under its number
 */
export function newDocumentPage(session, { documentType, original = null, corrects = false }) {
  return h(
    'div',
    {},
    h('h1', {}, t(corrects ? 'rebuild' : DOCUMENT_FORMS[documentType].title)),
    later(async () => {
      const [catalogs, found] = await Promise.all([
        readCatalogs(session, documentType),
        original ? readOriginal(session, original) : null,
      ]);
      const about =
        original && found ? await aboutOriginal(session, { documentType, original: found, accessKey: original }) : [];
      const corrected = corrects && original && found ? { accessKey: original, body: found.body } : null;
      return [...about, editor(session, { documentType, catalogs, original: found, corrected })];
    }),
  );
}

// --- internal ---

/** The catalogs of the form, as they are in force today. @param {Session} session @param {FormType} documentType */
async function readCatalogs(session, documentType) {
  const date = new Date().toLocaleDateString('en-GB', { timeZone: 'America/Guayaquil' });
  /** @type {DocumentForm} */
  const { fields, formerRates } = DOCUMENT_FORMS[documentType];
  const lists = await Promise.all(
    catalogsOf(fields).map(async (name) => {
      const entries = await readCatalog(session, name, name === 'tax-rates' && formerRates ? {} : { date });
      return [name, name === 'tax-rates' ? entries.filter(({ taxCode }) => taxCode === IVA) : entries];
    }),
  );
  return /** @type {Record<string, readonly CatalogEntry[]>} */ (Object.fromEntries(lists));
}

/**
 * A catalog, which is asked for once: the smallest plan reads sixty times a minute.
 *
 * @param {Session} session
 * @param {string} name
 * @param {{ date?: string }} query
 */
async function readCatalog({ api, catalogs }, name, query) {
  const key = [language(), name, query.date].join(' ');
  const known = catalogs.get(key);
  if (known) return known;
  const answer = await api.call('getCatalog', { params: { name }, query });
  const entries = /** @type {readonly CatalogEntry[]} */ (Object.values(answer).find(Array.isArray) ?? []);
  catalogs.set(key, entries);
  return entries;
}

/** @param {Session} session @param {string} accessKey @returns {Promise<Original>} */
async function readOriginal({ api, issuer }, accessKey) {
  const { document } = await api.call('getDocument', { params: { accessKey } });
  const { documentType, sequential, issueDate, authorizationNumber = null, requestPayload } = document;
  return {
    type: documentType,
    number: `${issuer ? issuerPlace(issuer) : ''}-${sequential}`,
    issueDate,
    authorizationNumber,
    body: requestPayload ?? {},
    issuer,
  };
}

/**
 * @param {Session} session
 * @param {{
 *   documentType: FormType,
 *   catalogs: Record<string, readonly CatalogEntry[]>,
 *   original: Original | null,
 *   corrected: { accessKey: string, body: Draft } | null,
 * }} given
 */
function editor(session, { documentType, catalogs, original, corrected }) {
  /** @type {DocumentForm} */
  const { fields } = DOCUMENT_FORMS[documentType];
  const draft = openDraft(fields, corrected?.body ?? newBody(documentType, original));
  const sums = h('div', { class: 'sums', 'aria-live': 'polite' });
  /** @type {import('../form-fields.js').Filling} */
  const filling = {
    catalogs,
    followers: new Set(),
    changed: () => {
      refreshAll(filling);
      fill(sums, ...showSums(DOCUMENT_FORMS[documentType], draft));
    },
  };
  const redate = h('input', { type: 'checkbox', name: 'redate' });
  const act = corrected
    ? () =>
        correct(session, {
          accessKey: corrected.accessKey,
          body: wholeBody(documentType, draft),
          redate: redate.checked,
        })
    : issuing(session, () => wholeBody(documentType, draft));
  const element = form(
    { submit: t(corrected ? 'rebuild' : 'createAndSend'), act, class: 'document' },
    unseenParts(fields, draft),
    fieldBlocks(fields, draft, filling),
    corrected && h('label', { class: 'check' }, redate, t('redate')),
    sums,
  );
  fill(sums, ...showSums(DOCUMENT_FORMS[documentType], draft));
  return element;
}

/** @param {FormType} documentType @param {Draft} draft @throws FormError while a part is not whole */
function wholeBody(documentType, draft) {
  const body = toDocumentBody(documentType, draft);
  if (!body) throw new FormError(t('incomplete'));
  return body;
}

/** Makes a function that issues a document and sends it. @param {Session} session @param {() => DocumentInput} read */
function issuing(session, read) {
  // The same key goes out with each try, so that pressing twice, or again after a lost answer, makes one document.
  let idempotencyKey = crypto.randomUUID();
  return async () => {
    const { document, warnings = [] } = await session.api.call('createDocument', { body: read(), idempotencyKey });
    idempotencyKey = crypto.randomUUID();
    const { accessKey } = document;
    session.notices.set(accessKey, { warnings });
    try {
      await session.api.call('sendDocument', { params: { accessKey } });
    } catch (failure) {
      // It has its number: told here, beside a button that says «issue», it would be issued once more.
      session.notices.set(accessKey, { warnings, failure });
    }
    go(`documents/${accessKey}`);
  };
}

/** @param {Session} session @param {{ accessKey: string, body: DocumentInput, redate: boolean }} corrected */
async function correct({ api, notices }, { accessKey, body, redate }) {
  const params = { accessKey };
  const { document, warnings = [] } = await api.call('rebuildDocument', { params, body: { ...body, redate } });
  notices.set(document.accessKey, { warnings });
  go(`documents/${document.accessKey}`);
}

/** @param {DocumentForm} form @param {Draft} draft */
function showSums({ sums, totalName = 'grandTotal' }, draft) {
  if (!sums) return [];
  const sum = sums(draft);
  if (!sum) return [h('p', { class: 'hint' }, t('incomplete'))];
  return [
    ...sum.rows.map(({ name, values, amount }) => sumRow(t(name, values), amount)),
    h('p', { class: 'grand' }, h('span', {}, t(totalName)), dollars(formatDecimal(sum.total, 2))),
  ];
}

/** @param {string} label @param {bigint} amount */
function sumRow(label, amount) {
  return h('p', {}, h('span', {}, label), dollars(formatDecimal(amount, 2)));
}

/**
 * What is left to credit of the original, and what of it the new document does not have.
 *
 * @param {Session} session
 * @param {{ documentType: FormType, original: Original, accessKey: string }} about
 */
async function aboutOriginal({ api }, { documentType, original, accessKey }) {
  /** @type {DocumentForm} */
  const { on } = DOCUMENT_FORMS[documentType];
  const { balance: hasBalance = false, lost } = on[original.type] ?? {};
  const parts = (lost?.(original.body) ?? []).map((name) => t(name));
  const balance = hasBalance ? await api.call('listCreditNotes', { params: { accessKey } }) : null;
  return [
    balance && h('p', {}, `${t('creditable')}: `, dollars(balance.remaining)),
    parts.length > 0 && h('p', { class: 'card warning' }, t('partsLost', { parts: parts.join(', ') })),
  ];
}

/** Says what the document keeps although the form does not show it. @param {DocumentForm['fields']} fields @param {Draft} draft */
function unseenParts(fields, draft) {
  const parts = hiddenParts(fields, draft).map((name) => t(`part.${name}`));
  return (
    parts.length > 0 && h('p', { class: 'card warning', role: 'status' }, t('partsStay', { parts: parts.join(', ') }))
  );
}
