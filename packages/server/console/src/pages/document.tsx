import {
  Ban,
  CircleCheck,
  CopyPlus,
  Eye,
  FileCode,
  FileDown,
  FilePen,
  FilePlus2,
  Mail,
  Receipt,
  RotateCw,
  Send,
} from 'lucide';
import { useMemo, useState } from 'preact/hooks';
import { type Client, type OperationAnswer, readRefusal } from 'sri-core/client';
import { totalNameOf } from '../forms/form-types.js';
import { findForm, waysOn } from '../forms/forms.js';
import { FINAL_CONSUMER } from '../forms/parts.js';
import { dollars, numberOf, pointOf, when } from '../frame/format.js';
import { named, t } from '../frame/language.js';
import { documentAt, newAt } from '../frame/places.js';
import { useWork } from '../frame/session.js';
import { Action, Copy, Dialog, Menu, save } from '../parts/action.js';
import { readCatalogs } from '../parts/catalogs.js';
import { readComprobante } from '../parts/comprobante.js';
import { Check, FormDialog, Input, textOf } from '../parts/form.js';
import { Heading } from '../parts/heading.js';
import { Icon } from '../parts/icon.js';
import { Failed, Loaded, Outline, useLoad, useWatch } from '../parts/load.js';
import { Ride } from '../parts/ride.js';
import { Fact, Foot, Lines, Sums } from '../parts/sheet.js';
import { Status } from '../parts/status.js';
import { callsFor } from './documents.js';

/** One document: its content, its status and its actions. */
export default function DocumentPage({ accessKey = '' }: { readonly accessKey?: string }) {
  const work = useWork();
  const api = useMemo(() => callsFor(work, accessKey), [work, accessKey]);
  // Only another page changes the balance, so watching a moving document does not read it again.
  const readBalance = useMemo(() => balanceReader(api, accessKey), [api, accessKey]);
  const loading = useLoad(() => readDocument(api, accessKey, readBalance), [readBalance]);
  const document = loading.value?.document;
  const isMoving = Boolean(document?.dispatch && document.dispatch.status !== 'FAILED');
  const isMailed = document?.status === 'AUTHORIZED' && document.email.status === 'PENDING';
  useWatch(loading.look, isMoving || isMailed, [document?.status, document?.email.status]);
  if (!work.can('documents:read') || !work.can('issuers:read')) return <p class="card">{t('notReadable')}</p>;
  return (
    <Loaded of={loading} outline={<Outline rows={7} />}>
      {(read) => (
        <article>
          <Head {...read} {...{ api, accessKey, reload: loading.reload }} />
          {isMoving && (
            <p class="notice" role="status">
              {t('inFlight')}
            </p>
          )}
          <Verdict {...read} />
          <div class="sides">
            <div>
              <Said {...read} />
              <Related {...read} reload={loading.reload} />
              <Story {...read} />
            </div>
            <aside>
              <Facts {...read} />
              <Files {...{ ...read, api }} />
            </aside>
          </div>
        </article>
      )}
    </Loaded>
  );
}

// --- internal ---

/** Reads the balance once, of an authorized document that has one; after a failure, the next time again. */
function balanceReader(api: Client, accessKey: string) {
  const hasBalance = waysOn(accessKey.slice(8, 10)).some(({ way }) => way.hasBalance);
  let reading: Promise<OperationAnswer<'listCreditNotes'> | Error> | undefined;
  return async (status: string) => {
    if (!hasBalance || status !== 'AUTHORIZED') return null;
    reading ??= api.call('listCreditNotes', { params: { accessKey } }).catch((error: Error) => {
      reading = undefined;
      return error;
    });
    return reading;
  };
}

async function readDocument(api: Client, accessKey: string, readBalance: ReturnType<typeof balanceReader>) {
  const params = { accessKey };
  const reading = api.call('getDocument', { params });
  const [{ document }, balance, { events }, { sriResponses }, xml, catalogs] = await Promise.all([
    reading,
    reading.then(({ document: { status } }) => readBalance(status)),
    api.call('listDocumentEvents', { params }),
    api.call('listSriResponses', { params }),
    api.open('downloadXml', { params, query: { variant: 'signed' } }).then((response) => response.text()),
    readCatalogs(api, ['tax-rates', 'payment-methods'], true),
  ]);
  return { document, balance, events, sriResponses, xml, comprobante: readComprobante(xml), catalogs };
}

type Read = Awaited<ReturnType<typeof readDocument>>;
interface Doing {
  readonly api: Client;
  readonly accessKey: string;
  readonly reload: () => Promise<void>;
}

/** The title with the available actions: one main action, and the others in a menu. */
function Head({ document, balance, api, accessKey, reload }: Read & Doing) {
  const work = useWork();
  const { documentType, status, dispatch, total, email, counterparty } = document;
  const params = { accessKey };
  const [open, setOpen] = useState<'mail' | 'void' | null>(null);
  // Reads again also after a refusal or a lost answer, since the document may have changed.
  const then = (act: () => Promise<unknown>) => () => act().finally(reload);
  const point = pointOf(work.issuers, accessKey);
  const mayIssue = (type: string) => point?.documentTypes.some((each) => each === type) ?? false;
  const isRefused = status === 'RETURNED' || status === 'NOT_AUTHORIZED';
  const canCorrect = findForm(documentType) !== null && (isRefused || status === 'SIGNED');
  const isNamed = counterparty.id !== FINAL_CONSUMER.id;
  const isCredited =
    balance !== null && !(balance instanceof Error) && balance.creditNotes.length > 0 && Number(balance.remaining) <= 0;
  const ways = waysOn(documentType).filter(
    ({ type, way }) =>
      status === 'AUTHORIZED' && mayIssue(type) && (isNamed || !way.isNamed) && !(way.hasBalance && isCredited),
  );
  const [first, ...otherWays] = ways;
  const isDone = status === 'AUTHORIZED' || status === 'VOIDED';
  const correct = canCorrect && (
    <a class={isRefused ? 'button primary' : ''} href={newAt(documentType, accessKey, 'correct')}>
      <Icon of={FilePen} />
      {t('correct')}
    </a>
  );
  return (
    <header class="head document-head">
      <div>
        <p class="hint">{named('type', documentType)}</p>
        <Heading of={`${named('type', documentType)} ${numberOf(accessKey)}`}>
          {numberOf(accessKey)} <Status of={status} />
        </Heading>
        {totalNameOf(documentType) !== null && <p class="figure amount">{dollars(total)}</p>}
      </div>
      {work.can('documents:write') && (
        <div class="buttons">
          {status === 'SIGNED' && (
            <Action
              kind="primary"
              icon={Send}
              label={t('send')}
              run={then(() => api.call('sendDocument', { params }))}
            />
          )}
          {isRefused && correct}
          {dispatch?.status === 'FAILED' && (
            <Action
              kind="primary"
              icon={RotateCw}
              label={t('retry')}
              run={then(() => api.call('retryDocument', { params }))}
            />
          )}
          {status === 'RECEIVED' && (
            <Action
              icon={CircleCheck}
              label={t('askNow')}
              run={then(() => api.call('authorizeDocument', { params, query: {} }))}
            />
          )}
          {first && (
            <a class="button" href={newAt(first.type, accessKey)}>
              <Icon of={FilePlus2} />
              {t(first.way.title)}
            </a>
          )}
          <Menu key={status} label={t('moreActions')}>
            {otherWays.map(({ type, way }) => (
              <a key={type} href={newAt(type, accessKey)}>
                <Icon of={FilePlus2} />
                {t(way.title)}
              </a>
            ))}
            {!isRefused && correct}
            {mayIssue(documentType) && findForm(documentType) && (
              <a href={newAt(documentType, accessKey)}>
                <Icon of={CopyPlus} />
                {t('duplicate')}
              </a>
            )}
            {isDone && email.status !== 'SKIPPED' && (
              <Action kind="plain" icon={Mail} label={t('resendMail')} run={() => setOpen('mail')} />
            )}
            {status === 'AUTHORIZED' && (
              <Action kind="plain danger" icon={Ban} label={t('void')} run={() => setOpen('void')} />
            )}
          </Menu>
        </div>
      )}
      {open === 'mail' && <MailDialog {...{ api, accessKey, reload }} close={() => setOpen(null)} />}
      {open === 'void' && <VoidDialog {...{ api, accessKey, reload }} close={() => setOpen(null)} />}
    </header>
  );
}

function MailDialog({ api, accessKey, reload, close }: Doing & { readonly close: () => void }) {
  const act = async (data: FormData) => {
    const email = textOf(data, 'email');
    const { result } = await api.call('retryDocumentEmail', {
      params: { accessKey },
      // The button sends a mail even if an earlier one was sent.
      query: { force: 'true' },
      ...(email === '' ? {} : { body: { email } }),
    });
    await reload();
    return t(result.sent ? 'mailSent' : 'mailQueued');
  };
  return (
    <FormDialog title={t('resendMail')} close={close} act={act}>
      <Input label={t('mailTo')} hint={t('mailToHint')} name="email" type="email" />
    </FormDialog>
  );
}

function VoidDialog({ api, accessKey, reload, close }: Doing & { readonly close: () => void }) {
  const act = async (data: FormData) => {
    const body = { confirmedSriVoid: data.has('confirmedSriVoid'), reason: textOf(data, 'reason') };
    // Reads again also after a refusal: another user may have voided the document.
    const answer = await api.call('voidDocument', { params: { accessKey }, body }).finally(reload);
    return answer.advice;
  };
  return (
    <FormDialog title={t('void')} close={close} act={act} isDanger kind="">
      <p>{t('voidIntro')}</p>
      <Check label={t('voidConfirmed')} name="confirmedSriVoid" required />
      <Input label={t('reason')} name="reason" maxLength={500} required />
    </FormDialog>
  );
}

/** The reason of a refused or abandoned document. */
function Verdict({ document: { status, dispatch }, events, sriResponses }: Read) {
  const isRefused = status === 'RETURNED' || status === 'NOT_AUTHORIZED';
  if (dispatch?.status === 'FAILED' && !isRefused) {
    return (
      <section class="notice bad" aria-label={t('givenUp')}>
        <h2>{t('givenUp')}</h2>
        {dispatch.lastError && <code>{dispatch.lastError}</code>}
      </section>
    );
  }
  if (!isRefused) return null;
  const { reasons, note } = readRefusal(sriResponses, events);
  return (
    <section class="notice bad" aria-label={t('refused')}>
      <h2>{t(status === 'RETURNED' ? 'refusedReturned' : 'refusedNotAuthorized')}</h2>
      {note && <p>{note}</p>}
      {reasons.map(({ identifier, message, additionalInfo, advice }, place) => (
        <div key={place} class="said">
          {advice && <p>{advice.meaning}</p>}
          {advice && (
            <p>
              <strong>{t('whatToDo')}:</strong> {advice.action}
            </p>
          )}
          <p class="hint">
            SRI <code>{identifier}</code> {message}
            {additionalInfo && ` – ${additionalInfo}`}
          </p>
        </div>
      ))}
    </section>
  );
}

/** The document itself. */
function Said({ document, comprobante, catalogs }: Read) {
  const { counterparty, documentType, total } = document;
  return (
    <section class="card sheet">
      <p class="party">
        <span class="hint">{named('role', counterparty.role)}</span>
        <strong>{counterparty.name}</strong>
        <span>{counterparty.id}</span>
      </p>
      <Lines of={comprobante} documentType={documentType} />
      <Sums of={comprobante} {...{ total, documentType, catalogs }} />
      <Foot of={comprobante} catalogs={catalogs} />
    </section>
  );
}

/** The credit and debit notes of the document, and its balance. */
function Related({ balance, reload }: Read & Pick<Doing, 'reload'>) {
  if (balance instanceof Error) return <Failed error={balance} again={reload} />;
  if (!balance || balance.creditNotes.length + balance.debitNotes.length === 0) return null;
  const links = (notes: typeof balance.creditNotes, type: string) =>
    notes.map((note) => (
      <li key={note.accessKey}>
        <a href={documentAt(note.accessKey)}>
          {named('type', type)} {numberOf(note.accessKey)}
        </a>{' '}
        {note.issueDate} <span class="amount">{dollars(note.total)}</span>
      </li>
    ));
  return (
    <section class="card">
      <h2>{t('balance')}</h2>
      <ul>
        {links(balance.creditNotes, '04')}
        {links(balance.debitNotes, '05')}
      </ul>
      <dl class="facts">
        <Fact name={t('credited')}>{dollars(balance.creditedTotal)}</Fact>
        <Fact name={t('debited')}>{dollars(balance.debitedTotal)}</Fact>
        <Fact name={t('creditable')}>
          <strong>{dollars(balance.remaining)}</strong>
        </Fact>
      </dl>
    </section>
  );
}

/** Events that show only the new status. */
const CHANGES: ReadonlySet<string> = new Set(['SENT', 'STATUS_CHANGED']);

/** The events of the document in words, newest first. */
function Story({ events, sriResponses }: Read) {
  // Of one moment: the SRI's answer comes before the status that it sets.
  const steps = [
    ...sriResponses.flatMap(({ createdAt, operationType, messages }) =>
      (messages ?? []).map(({ identifier, message }) => ({
        at: createdAt,
        text: `SRI · ${named('operation', operationType)}`,
        about: `${identifier} ${message}`,
      })),
    ),
    ...events.map(({ eventType, toStatus, detail, createdAt }) => ({
      at: createdAt,
      text: toStatus && CHANGES.has(eventType) ? named('became', toStatus) : named('event', eventType),
      about: [detail?.['message'], detail?.['reason']].find((each) => typeof each === 'string'),
    })),
  ]
    .reverse()
    .sort((one, other) => other.at.localeCompare(one.at));
  return (
    <section class="card">
      <h2>{t('timeline')}</h2>
      <ol class="timeline">
        {steps.map(({ at, text, about }, place) => (
          <li key={place}>
            <strong>{text}</strong> <time class="hint">{when(at)}</time>
            {about && <p class="hint">{about}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Facts({ document }: Read) {
  const { accessKey, issueDate, authorizationDate, authorizationNumber, email, status, dispatch } = document;
  return (
    <section class="card">
      <dl class="facts narrow">
        <Fact name={t('date')}>{issueDate}</Fact>
        {authorizationDate && <Fact name={t('authorizationDate')}>{when(authorizationDate)}</Fact>}
        <Fact name={t('accessKey')}>
          <code>{accessKey}</code> <Copy text={accessKey} />
        </Fact>
        {/* In this scheme it is the access key, and is shown only where it differs. */}
        {authorizationNumber && authorizationNumber !== accessKey && (
          <Fact name={t('authorizationNumber')}>
            <code>{authorizationNumber}</code>
          </Fact>
        )}
        {/* Only what is authorized is mailed: before that, «to be sent» would promise too much. */}
        {(email.status !== 'PENDING' || status === 'AUTHORIZED') && (
          <Fact name={t('mailStatus')}>
            {named('mail', email.status)}
            {email.error && `: ${email.error}`}
          </Fact>
        )}
        {dispatch && <Fact name={t('attempts')}>{dispatch.attemptCount}</Fact>}
      </dl>
    </section>
  );
}

/** With the cursor behind its text, a text field scrolls to its end when it gets the focus. */
const fromStart = (field: HTMLTextAreaElement | null) => field?.setSelectionRange(0, 0);

function Files({ document: { accessKey, documentType, status }, xml, api }: Read & { readonly api: Client }) {
  const params = { accessKey };
  const [shown, setShown] = useState<Blob | 'xml' | null>(null);
  const isAuthorized = status === 'AUTHORIZED' || status === 'VOIDED';
  const readRide = async (query: Record<string, string> = {}) =>
    (await api.open('downloadRide', { params, query: query as never })).blob();
  return (
    <section class="card files">
      <h2>{t('files')}</h2>
      <Action icon={Eye} label={t('showRide')} run={async () => setShown(await readRide())} />
      <Action
        icon={FileDown}
        label={t('downloadRide')}
        run={async () => save(await readRide(), `RIDE-${accessKey}.pdf`)}
      />
      {/* A guide of what is moved has no ticket. */}
      {totalNameOf(documentType) !== null && (
        <Action
          icon={Receipt}
          label={t('downloadTicket')}
          run={async () => save(await readRide({ format: 'ticket' }), `ticket-${accessKey}.pdf`)}
        />
      )}
      <Action
        icon={FileDown}
        label={t('downloadXml')}
        run={async () => {
          const query = isAuthorized ? {} : ({ variant: 'signed' } as const);
          save(await (await api.open('downloadXml', { params, query })).blob(), `${accessKey}.xml`);
        }}
      />
      <Action icon={FileCode} label={t('showXml')} run={() => setShown('xml')} />
      {shown && (
        <Dialog title={shown === 'xml' ? 'XML' : 'RIDE'} close={() => setShown(null)}>
          {shown === 'xml' ? (
            <textarea readOnly aria-label="XML" class="code" value={xml} ref={fromStart} />
          ) : (
            <Ride of={shown} />
          )}
        </Dialog>
      )}
    </section>
  );
}
