import { findForm, formsOn, hasTotal } from '../document-forms.js';
import { fill, h } from '../dom.js';
import { action, askFirst, dollars, facts, field, form, later, problem, save, statusBadge, when } from '../parts.js';
import { address, go } from '../router.js';
import { issuerPlace } from '../session.js';
import { t } from '../texts.js';

/** @typedef {import('../dom.js').Leaf} Leaf */
/** @typedef {import('../session.js').Session} Session */
/** @typedef {import('sri-core/client').OperationAnswer<'getDocument'>['document']} ShownDocument */
/** @typedef {import('sri-core/client').OperationAnswer<'listSriResponses'>['sriResponses'][number]} SriResponse */
/** @typedef {import('sri-core/client').OperationAnswer<'listDocumentEvents'>['events'][number]} DocumentEvent */

/**
 * One document: where it stands, what the SRI said and what to do about it, its files, and what can be done with it.
 *
 * @param {Session} session
 * @param {string} accessKey
 */
export function documentPage(session, accessKey) {
  const params = { accessKey };
  const page = h('div', {});
  const reload = async () => fill(page, await show());

  /** @returns {Promise<Leaf[]>} */
  async function show() {
    const { api } = session;
    const [{ document }, { events }, { sriResponses }] = await Promise.all([
      api.call('getDocument', { params }),
      api.call('listDocumentEvents', { params }),
      api.call('listSriResponses', { params }),
    ]);
    const isMoving = document.dispatch && document.dispatch.status !== 'FAILED';
    const isMailed = document.status === 'AUTHORIZED' && document.email.status === 'PENDING';
    if (isMoving || isMailed) follow(standing(document), FIRST_LOOK_MS);
    return [
      head(session, document),
      ...notice(session, document),
      isMoving && h('p', { class: 'hint', role: 'status' }, t('inFlight')),
      answers(sriResponses),
      actions(session, document, reload),
      balance(session, document),
      files(session, document),
      timeline(events),
    ];
  }

  /** Asks, ever more seldom, until the document stands elsewhere. @param {string} shown @param {number} waitMs */
  function follow(shown, waitMs) {
    const longer = Math.min(waitMs * 1.5, LAST_LOOK_MS);
    setTimeout(async () => {
      // A page that is not shown any more asks for nothing, and one that somebody works in stays as it is.
      if (!page.isConnected) return;
      if (page.querySelector('details[open]')) return follow(shown, waitMs);
      const answer = await session.api.call('getDocument', { params }).catch(() => null);
      if (answer && standing(answer.document) !== shown) await reload().catch(() => follow(shown, longer));
      else follow(shown, longer);
    }, waitMs);
  }

  fill(page, later(show));
  return page;
}

// --- internal ---

/** The smallest plan reads sixty times a minute: following a document may not use that up. */
const FIRST_LOOK_MS = 1_000;
const LAST_LOOK_MS = 15_000;

/** What changes while a document is on its way. @param {ShownDocument} document */
function standing({ status, dispatch, email }) {
  return JSON.stringify([status, dispatch, email.status]);
}

/** @param {Session} session @param {ShownDocument} document */
function head({ issuer }, document) {
  const { counterparty, documentType } = document;
  return h(
    'section',
    { class: 'card' },
    h(
      'h1',
      {},
      `${t(`type.${document.documentType}`)} ${issuer ? issuerPlace(issuer) : ''}-${document.sequential} `,
      statusBadge(document.status),
    ),
    facts([
      [t(findForm(documentType)?.totalName ?? 'total'), hasTotal(documentType) && dollars(document.total)],
      [t('date'), document.issueDate],
      [t(`role.${counterparty.role}`), `${counterparty.name} · ${counterparty.id}`],
      [t('accessKey'), h('code', {}, document.accessKey), 'wide'],
      // In this scheme it is the access key, and is told only where it is not.
      [
        t('authorizationNumber'),
        document.authorizationNumber !== document.accessKey &&
          document.authorizationNumber &&
          h('code', {}, document.authorizationNumber),
        'wide',
      ],
      [t('authorizationDate'), document.authorizationDate && when(document.authorizationDate)],
      // Only what is authorized is mailed: before that, «to be sent» would promise too much.
      [
        t('mailStatus'),
        (document.email.status !== 'PENDING' || document.status === 'AUTHORIZED') &&
          [t(`mail.${document.email.status}`), document.email.error].filter(Boolean).join(': '),
      ],
      [
        t('attempts'),
        document.dispatch &&
          `${document.dispatch.attemptCount}${document.dispatch.lastError ? ` · ${document.dispatch.lastError}` : ''}`,
      ],
    ]),
  );
}

/** What was warned of when it was made, and why it was not sent. @param {Session} session @param {ShownDocument} document */
function notice({ notices }, { accessKey, status }) {
  const { warnings = [], failure, advice } = notices.get(accessKey) ?? {};
  return [
    advice ? h('p', { class: 'card warning', role: 'status' }, advice) : null,
    failure !== undefined && status === 'SIGNED'
      ? h('section', { class: 'card warning', role: 'alert' }, h('p', {}, t('notSent')), problem(failure))
      : null,
    warnings.length > 0
      ? h(
          'section',
          { class: 'card warning', 'aria-label': t('warnings') },
          h('h2', {}, t('warnings')),
          h('p', {}, t('warningsIntro')),
          h(
            'ul',
            {},
            warnings.map(({ field: place, message }) => h('li', {}, message, ' ', h('code', {}, place))),
          ),
        )
      : null,
  ];
}

/** @param {readonly SriResponse[]} responses */
function answers(responses) {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('sriMessages')),
    responses.length === 0 && h('p', {}, t('sriSilent')),
    h('ol', { class: 'answers' }, responses.map(answer)),
  );
}

/** @param {SriResponse} response */
function answer({ operationType, status, messages, advice = [], createdAt }) {
  return h(
    'li',
    {},
    h('p', {}, when(createdAt), ` · ${t(`operation.${operationType}`)} · `, h('strong', {}, status)),
    (messages ?? []).map(({ identifier, message, additionalInfo }, place) =>
      h(
        'div',
        { class: 'message' },
        h('p', {}, h('code', {}, identifier), ' ', h('strong', {}, message)),
        additionalInfo && h('p', {}, additionalInfo),
        counsel(advice[place]),
      ),
    ),
  );
}

/** @param {NonNullable<SriResponse['advice']>[number] | undefined} advice */
function counsel(advice) {
  if (!advice) return null;
  const { meaning, action: whatToDo, who } = advice;
  return h(
    'div',
    { class: 'advice' },
    h('p', {}, meaning),
    h('p', {}, h('strong', {}, `${t('whatToDo')}: `), whatToDo),
    who && who !== 'NOBODY' && h('p', { class: 'hint' }, t(`who.${who}`)),
  );
}

/**
 * Only what the status allows.
 *
 * @param {Session} session
 * @param {ShownDocument} document
 * @param {() => Promise<void>} reload
 */
function actions(session, document, reload) {
  const { status, documentType, dispatch, accessKey, email } = document;
  const { api } = session;
  const params = { accessKey };
  /** @param {() => Promise<unknown>} act */
  const then = (act) => async () => {
    await act();
    await reload();
  };
  const own = findForm(documentType);
  /** @param {string} type */
  const mayIssue = (type) => session.issuer?.documentTypes.some((each) => each === type) ?? false;
  /** @param {{ page: string, more?: string }} form @param {import('../texts.js').TextName} title */
  const link = ({ page, more = '' }, title) =>
    h('a', { class: 'button', href: address(`${page}/${accessKey}${more}`) }, t(title));
  const canRebuild = status === 'SIGNED' || status === 'RETURNED' || status === 'NOT_AUTHORIZED';
  return h(
    'section',
    { class: 'card actions', 'aria-label': t('verdictActions') },
    status === 'SIGNED' &&
      action(
        t('send'),
        then(() => api.call('sendDocument', { params })),
        { kind: 'primary' },
      ),
    status === 'RECEIVED' &&
      action(
        t('askNow'),
        then(() => api.call('authorizeDocument', { params })),
      ),
    dispatch?.status === 'FAILED' &&
      action(
        t('retry'),
        then(() => api.call('retryDocument', { params })),
        { kind: 'primary' },
      ),
    status === 'AUTHORIZED' &&
      formsOn(documentType).flatMap((way) => (mayIssue(way.type) ? [link(way, way.title)] : [])),
    own && canRebuild && link({ page: own.page, more: '/correct' }, 'correctInForm'),
    own && mayIssue(documentType) && link(own, 'duplicate'),
    canRebuild && rebuild(session, document, reload),
    (status === 'AUTHORIZED' || status === 'VOIDED') && email.status !== 'SKIPPED' && mail(session, document, reload),
    status === 'AUTHORIZED' && annulment(session, document, reload),
  );
}

/** @param {Session} session @param {ShownDocument} document @param {() => Promise<void>} reload */
function mail({ api }, { accessKey }, reload) {
  const told = h('p', { role: 'status' });
  /** @param {FormData} data */
  async function act(data) {
    const to = String(data.get('email')).trim();
    const { result } = await api.call('retryDocumentEmail', {
      params: { accessKey },
      // Whoever presses the button wants a mail to go out, whether one did before or not.
      query: { force: 'true' },
      ...(to === '' ? {} : { body: { email: to } }),
    });
    fill(told, t(result.sent ? 'mailSent' : 'mailQueued'));
    if (result.sent) await reload();
  }
  return h(
    'details',
    {},
    h('summary', {}, t('resendMail')),
    form(
      { submit: t('resendMail'), act },
      field(t('mailTo'), h('input', { type: 'email', name: 'email' }), { hint: t('mailToHint') }),
    ),
    told,
  );
}

/** @param {Session} session @param {ShownDocument} document @param {() => Promise<void>} reload */
function rebuild({ api, notices }, { accessKey, requestPayload }, reload) {
  const content = h('textarea', { name: 'content', rows: 14, spellcheck: 'false', class: 'code' });
  content.value = requestPayload ? JSON.stringify(requestPayload, null, 2) : '';
  /** @param {FormData} data */
  async function act(data) {
    const text = String(data.get('content')).trim();
    let body = {};
    try {
      body = text === '' ? {} : JSON.parse(text);
    } catch {
      content.setCustomValidity(t('contentWrong'));
      content.reportValidity();
      content.addEventListener('input', () => content.setCustomValidity(''), { once: true });
      return;
    }
    const { document: rebuilt, warnings = [] } = await api.call('rebuildDocument', {
      params: { accessKey },
      body: { ...body, redate: data.has('redate'), resequence: data.has('resequence') },
    });
    notices.set(rebuilt.accessKey, { warnings });
    if (rebuilt.accessKey === accessKey) await reload();
    else go(`documents/${rebuilt.accessKey}`);
  }
  return h(
    'details',
    {},
    h('summary', {}, t('rebuild')),
    h('p', { class: 'hint' }, t('rebuildHint')),
    form(
      { submit: t('rebuild'), act },
      field(t('content'), content),
      h('label', { class: 'check' }, h('input', { type: 'checkbox', name: 'redate' }), t('redate')),
      h('label', { class: 'check' }, h('input', { type: 'checkbox', name: 'resequence' }), t('resequence')),
    ),
  );
}

/** @param {Session} session @param {ShownDocument} document @param {() => Promise<void>} reload */
function annulment({ api, notices }, { accessKey }, reload) {
  /** @param {FormData} data */
  async function act(data) {
    if (!(await askFirst(t('voidAsk'), t('void')))) return;
    const { advice } = await api.call('voidDocument', {
      params: { accessKey },
      body: { confirmedSriVoid: data.has('confirmed'), reason: String(data.get('reason')) },
    });
    if (advice) notices.set(accessKey, { warnings: [], advice });
    await reload();
  }
  return h(
    'details',
    {},
    h('summary', {}, t('void')),
    h('p', { class: 'hint' }, t('voidIntro')),
    form(
      { submit: t('void'), act, class: 'danger' },
      h(
        'label',
        { class: 'check' },
        h('input', { type: 'checkbox', name: 'confirmed', required: true }),
        t('voidConfirmed'),
      ),
      field(t('reason'), h('input', { name: 'reason', maxlength: 500, required: true })),
    ),
  );
}

/** What credit notes and debit notes make of the document. @param {Session} session @param {ShownDocument} document */
function balance({ api }, { accessKey, documentType, status }) {
  if (status !== 'AUTHORIZED' || !formsOn(documentType).some(({ hasBalance }) => hasBalance)) return null;
  return later(async () => {
    const answer = await api.call('listCreditNotes', { params: { accessKey } });
    const { creditNotes, debitNotes } = answer;
    if (creditNotes.length + debitNotes.length === 0) return null;
    /** @param {typeof creditNotes} notes */
    const links = (notes) =>
      notes.map((note) =>
        h(
          'p',
          {},
          h('a', { href: address(`documents/${note.accessKey}`) }, note.sequential),
          ' ',
          note.issueDate,
          ' ',
          dollars(note.total),
        ),
      );
    return h(
      'section',
      { class: 'card' },
      h('h2', {}, t('balance')),
      facts([
        [t('total'), dollars(answer.originalDocument.total)],
        [t('credited'), [dollars(answer.creditedTotal), ...links(creditNotes)]],
        [t('debited'), [dollars(answer.debitedTotal), ...links(debitNotes)]],
        [t('creditable'), dollars(answer.remaining)],
      ]),
    );
  });
}

/** @param {Session} session @param {ShownDocument} document */
function files({ api }, { accessKey, status }) {
  const shown = h('div', { class: 'preview' });
  const params = { accessKey };
  const isAuthorized = status === 'AUTHORIZED' || status === 'VOIDED';
  const openRide = async () => (await api.open('downloadRide', { params })).blob();
  const openXml = () => api.open('downloadXml', { params, query: isAuthorized ? {} : { variant: 'signed' } });
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('files')),
    h(
      'div',
      { class: 'buttons' },
      action(t('previewRide'), async () => {
        const pdf = await openRide();
        const url = URL.createObjectURL(pdf.slice(0, pdf.size, 'application/pdf'));
        fill(shown, h('iframe', { src: url, title: 'RIDE' }));
      }),
      action(t('downloadRide'), async () => save(await openRide(), `RIDE-${accessKey}.pdf`)),
      action(t('showXml'), async () =>
        fill(shown, h('pre', { class: 'code', tabindex: '0' }, await (await openXml()).text())),
      ),
      action(t('downloadXml'), async () => save(await (await openXml()).blob(), `${accessKey}.xml`)),
    ),
    shown,
  );
}

/** @param {readonly DocumentEvent[]} events */
function timeline(events) {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('timeline')),
    h(
      'ol',
      { class: 'timeline' },
      events.map(({ eventType, toStatus, detail, createdAt }) =>
        h(
          'li',
          {},
          when(createdAt),
          ' ',
          h('strong', {}, t(`event.${eventType}`)),
          toStatus && h('span', {}, ' ', statusBadge(toStatus)),
          typeof detail?.['message'] === 'string' && h('p', { class: 'hint' }, detail['message']),
        ),
      ),
    ),
  );
}
