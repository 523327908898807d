import { Eye, Send } from 'lucide';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ApiError, type Client, type ListedIssuer } from 'sri-core/client';
import { createEarlier } from '../forms/earlier.js';
import { Fields, FillingContext, LineTotals } from '../forms/fields.js';
import { type Catalogs, catalogsOf, type Draft, openDraft, readBody } from '../forms/form.js';
import { type FormType, totalNameOf } from '../forms/form-types.js';
import { type DocumentForm, findForm, newBody, type Original } from '../forms/forms.js';
import { type Preview, type PreviewRequest, previewOf, rideOf } from '../forms/preview.js';
import { dollars, numberOf, placeOf, pointOf, titleOf } from '../frame/format.js';
import { named, type TextName, t } from '../frame/language.js';
import { documentAt } from '../frame/places.js';
import { hear, hold, recall, remember, share, shared, useWork } from '../frame/session.js';
import { Action, Dialog } from '../parts/action.js';
import { readCatalogs } from '../parts/catalogs.js';
import { type Comprobante, readComprobante } from '../parts/comprobante.js';
import { Check } from '../parts/form.js';
import { NotHere, PageHead } from '../parts/heading.js';
import { Icon } from '../parts/icon.js';
import { Empty, Loaded, useLoad } from '../parts/load.js';
import { Problem } from '../parts/problem.js';
import { Ride } from '../parts/ride.js';
import { Sums } from '../parts/sheet.js';

/** The form of a new document, optionally from another one; or of a refused document to correct. */
export default function NewDocument({ documentType = '' }: { readonly documentType?: string }) {
  const { query } = useLocation();
  const form = findForm(documentType);
  const { issuers, issuer, api, apiOf, can } = useWork();
  const from = query['from'] ?? null;
  const corrects = query['how'] === 'correct';
  const own = from ? pointOf(issuers, from) : undefined;
  // The point that issued a document corrects it.
  const point = (corrects ? own : issuer) ?? own ?? issuer ?? issuers[0];
  const calls = point ? apiOf(point.id) : api;
  // Another point does not find its documents.
  const source = own ? apiOf(own.id) : calls;
  const inputs = [documentType, from, corrects, point?.id];
  const loading = useLoad(async () => {
    const [catalogs, original] = await Promise.all([
      readCatalogs(calls, catalogsOf(form?.fields ?? []), form?.formerRates),
      from ? readOriginal(source, from, point?.branchAddress ?? null) : null,
    ]);
    const hasBalance = original !== null && form?.on[original.type]?.hasBalance === true;
    const balance = hasBalance
      ? await source.call('listCreditNotes', { params: { accessKey: original.accessKey } })
      : null;
    return { catalogs, original, remaining: balance?.remaining ?? null };
  }, inputs);
  if (!form) return <NotHere />;
  if (!point) return <Empty title={t(can('issuers:read') ? 'noIssuer' : 'notReadable')} />;
  return (
    <>
      <PageHead
        of={corrects && from ? `${t('correct')} ${numberOf(from)}` : t(`new.${documentType as FormType}`)}
        below={titleOf(point)}
      />
      <Loaded of={loading}>
        {(read) => <Editor key={inputs.join()} {...{ ...read, documentType, form, corrects, point, api: calls }} />}
      </Loaded>
    </>
  );
}

// --- internal ---

async function readOriginal(api: Client, accessKey: string, branchAddress: string | null): Promise<Original> {
  const params = { accessKey };
  const [{ document }, xml] = await Promise.all([
    api.call('getDocument', { params }),
    api.open('downloadXml', { params, query: { variant: 'signed' } }).then((response) => response.text()),
  ]);
  const { documentType: type, status, issueDate, authorizationNumber = null, requestPayload } = document;
  return {
    ...{ accessKey, type, status, issueDate, authorizationNumber, branchAddress },
    number: numberOf(accessKey),
    body: (requestPayload ?? {}) as Draft,
    taxes: readComprobante(xml).sums.flatMap(({ tax, amount }) =>
      tax ? [{ code: tax.code, rateCode: tax.rateCode, taxableBase: tax.base, taxAmount: amount }] : [],
    ),
  };
}

interface EditorProps {
  readonly documentType: string;
  readonly form: DocumentForm;
  readonly catalogs: Catalogs;
  readonly original: Original | null;
  /** The amount of the original that is left to credit. */
  readonly remaining: string | null;
  readonly corrects: boolean;
  /** The point that issues the document, with its calls. */
  readonly point: ListedIssuer;
  readonly api: Client;
}

/** The stored part of an unsent form. The key makes a repeat after a lost answer safe, at the point of the first try. */
interface Kept {
  readonly draft: Draft;
  readonly idempotencyKey: string;
  /** The new date and number of a corrected document. */
  readonly flags: { readonly redate: boolean; readonly resequence: boolean };
}

function Editor({ documentType, form, catalogs, original, remaining, corrects, point, api }: EditorProps) {
  const { tenant, issuers, can, choose } = useWork();
  const { route } = useLocation();
  const place = ['draft', tenant.id, documentType, original?.accessKey, corrects].join('.');
  const fresh = (): Kept => ({
    draft: openDraft(form.fields, newBody(form, original, corrects)),
    ...newKey(),
    flags: { redate: true, resequence: false },
  });
  const [kept, setKept] = useState<Kept>(() => ({ ...fresh(), ...JSON.parse(recall(place) ?? '{}') }));
  const [isRestored, setRestored] = useState(() => recall(place) !== null);
  const [isTried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const notice = useRef<HTMLDivElement>(null);
  const earlier = useMemo(() => createEarlier(api, tenant.id), [api, tenant.id]);
  // The warnings of the button's preview, if the preview beside the form does not show them yet.
  const [warned, setWarned] = useState<Preview['warnings']>();
  const { draft, idempotencyKey, flags } = kept;
  const [asked, askFirst] = useAsked(tenant.id);
  const triedAt = asked[idempotencyKey];
  const elsewhere = triedAt === point.id ? undefined : issuers.find(({ id }) => id === triedAt);
  const read = () => ({ ...readBody(form.fields, draft, catalogs), documentType });
  const isWide = matchMedia('(min-width: 75em)').matches;
  const issueDate = corrects && original && !flags.redate ? original.issueDate : null;
  const previewNow = (ride: boolean) => previewOf(api, read(), { ride, issueDate });
  const { preview, ride, error: refusal } = usePreview(api, read(), { ride: isWide, issueDate });
  const warnings = (preview ? preview.warnings : warned) ?? [];
  const isOver = remaining !== null && Number(preview?.document.total ?? 0) > Number(remaining);

  const keep = (change: (before: Kept) => Partial<Kept>) =>
    // The user may type while a call runs, so the change applies to the current draft.
    setKept((before) => {
      const next = { ...before, ...change(before) };
      remember(place, JSON.stringify(next));
      return next;
    });
  // A tab keeps the draft that it shows, also when another tab has issued it.
  useEffect(() => {
    if (isRestored) hold(place, JSON.stringify(kept));
  }, []);
  const change = (next: (now: Draft) => Draft) => {
    setFailure(undefined);
    setWarned(undefined);
    keep(({ draft: now }) => ({ draft: next(now) }));
  };
  const startAgain = () => {
    remember(place, null);
    setKept(fresh());
    setRestored(false);
    setTried(false);
    setFailure(undefined);
  };

  async function issue(): Promise<void> {
    if (busy) return;
    const here = location.pathname + location.search;
    setTried(true);
    setBusy(true);
    setFailure(undefined);
    try {
      const { body, warnings: found = [] } = await previewNow(false);
      const whole = body as Draft;
      const known = new Set([...warnings, ...(warned ?? [])].map(({ message }) => message));
      if (!found.every(({ message }) => known.has(message))) {
        setWarned(found);
        setBusy(false);
        return;
      }
      if (askFirst(idempotencyKey, point.id) !== point.id) {
        setBusy(false);
        return;
      }
      // After a lost answer this key has to be repeated at this point, also by a reload of a form that was not edited.
      keep(() => ({}));
      const accessKey = corrects && original ? await rebuild(original.accessKey, whole) : await create(whole);
      earlier.learn(whole);
      remember(place, null);
      // The document has its number now. Its page shows whether it was sent, and offers to send it.
      await api.call('sendDocument', { params: { accessKey } }).catch(() => {});
      // A user who left the page stays on the other page.
      if (location.pathname + location.search !== here) return;
      // Typing during the call is no draft of the next document.
      remember(place, null);
      // Back leads to the page before the form, which is over.
      route(documentAt(accessKey), true);
    } catch (error) {
      setFailure(error);
      setBusy(false);
      // An earlier try created a document and its answer was lost. Another document needs another key.
      if (error instanceof ApiError && error.reason === 'IDEMPOTENCY_KEY_REUSED') keep(newKey);
      requestAnimationFrame(() => (document.querySelector<HTMLElement>('[aria-invalid]') ?? notice.current)?.focus());
    }
  }
  const create = async (body: Draft) =>
    (await api.call('createDocument', { body: body as never, idempotencyKey })).document.accessKey;
  const rebuild = async (accessKey: string, body: Draft) =>
    (await api.call('rebuildDocument', { params: { accessKey }, body: { ...body, ...flags } })).document.accessKey;

  const shown = failure ?? refusal;
  // A refusal without a field, such as of a paused point, is not about an incomplete form.
  const problem = failure ?? (refusal instanceof ApiError && refusal.errors.length === 0 ? refusal : undefined);
  const wrongText = JSON.stringify(wrongFields(shown, isTried));
  const wrong: ReadonlyMap<string, string> = useMemo(() => new Map(JSON.parse(wrongText)), [wrongText]);
  const previewed = useMemo(() => (preview ? readComprobante(preview.xml) : null), [preview]);
  const lineTotals = useMemo(() => lineTotalsOf(previewed), [previewed]);
  const missingText = JSON.stringify(isTried ? [] : missingFields(refusal));
  const missing: ReadonlySet<string> = useMemo(() => new Set(JSON.parse(missingText)), [missingText]);
  const filling = useMemo(() => ({ catalogs, wrong, missing, ...earlier }), [catalogs, wrong, missing, earlier]);
  const isOnUnauthorized =
    original !== null && form.on[original.type] !== undefined && original.status !== 'AUTHORIZED';
  const lost = original ? (form.on[original.type]?.lost?.(original.body) ?? []) : [];
  return (
    <FillingContext.Provider value={filling}>
      {/* No form: Enter in a field, which a scanner also types, must not issue. */}
      <div class="document">
        <div class="fields">
          {isRestored && (
            <p class="notice" role="status">
              {t('draftRestored')}{' '}
              <button type="button" class="plain" onClick={startAgain}>
                {t('startAgain')}
              </button>
            </p>
          )}
          {isOnUnauthorized && (
            <p class="notice warn">{t('originalNotAuthorized', { status: named('status', original.status) })}</p>
          )}
          {lost.length > 0 && (
            <p class="notice warn">{t('partsLost', { parts: lost.map((name) => t(name).toLowerCase()).join(', ') })}</p>
          )}
          {remaining !== null && (
            <p class="notice">
              {t('creditable')}: <strong class="amount">{dollars(remaining)}</strong>
            </p>
          )}
          <LineTotals.Provider value={lineTotals}>
            <Fields fields={form.fields} row={draft} onChange={change} />
          </LineTotals.Provider>
          {corrects && (
            <fieldset>
              <legend>{t('numberAndDate')}</legend>
              {(original?.status === 'RETURNED' ? FLAGS : FLAGS.slice(0, 1)).map((flag) => (
                <Check
                  key={flag}
                  label={t(flag)}
                  checked={flags[flag]}
                  onChange={() => keep(() => ({ flags: { ...flags, [flag]: !flags[flag] } }))}
                />
              ))}
            </fieldset>
          )}
        </div>
        <aside class="beside">
          <div class="card">
            {totalNameOf(documentType) !== null && (
              <div aria-live="polite">
                {missing.size > 0 && <p class="hint">{t('incomplete')}</p>}
                <Sums of={previewed} total={preview?.document.total} {...{ documentType, catalogs }} />
              </div>
            )}
            {(warnings.length > 0 || isOver) && (
              <div class="notice warn" role="status">
                <strong>{t('warnings')}</strong>
                <ul>
                  {isOver && <li>{t('overCredit', { amount: dollars(remaining) })}</li>}
                  {warnings.map(({ field, message }) => (
                    <li key={field + message}>{rowIn(field) + message}</li>
                  ))}
                </ul>
              </div>
            )}
            <div ref={notice} role="alert" tabIndex={-1}>
              {problem !== undefined && <Problem error={problem} hidesFields={wrong.size > 0} />}
              {failure !== undefined && wrong.size > 0 && <Others error={failure} wrong={wrong} />}
            </div>
            {elsewhere && (
              <div class="notice warn" role="status">
                <p>{t('triedElsewhere', { tried: placeOf(elsewhere), point: placeOf(point) })}</p>
                <p class="buttons">
                  <button type="button" onClick={() => choose(elsewhere.id)}>
                    {t('backToPoint', { point: placeOf(elsewhere) })}
                  </button>
                  <button type="button" onClick={() => keep(newKey)}>
                    {t('issueAtPoint', { point: placeOf(point) })}
                  </button>
                </p>
              </div>
            )}
            {!can('documents:write') && <p class="hint">{t('notAllowed')}</p>}
            <div class="buttons">
              <button
                type="button"
                class="primary"
                disabled={elsewhere !== undefined || !can('documents:write')}
                aria-disabled={busy}
                onClick={issue}
              >
                <Icon of={Send} />
                {t(corrects ? 'correctAndSend' : 'createAndSend')}
              </button>
              {!isWide && <RideButton isDisabled={preview === null} read={() => previewNow(true)} />}
            </div>
          </div>
          {isWide && ride && <Ride of={ride} isStale={preview === null} />}
        </aside>
      </div>
    </FillingContext.Provider>
  );
}

interface Previewed {
  readonly preview: Preview | null;
  /** The last RIDE, which stays while the body is incomplete. */
  readonly ride: Blob | null;
  readonly error: unknown;
}

/** Requests the preview when the user stops typing. Drops outdated answers. */
function usePreview(api: Client, body: Draft, { ride, issueDate }: PreviewRequest): Previewed {
  const [state, setState] = useState<Previewed>({ preview: null, ride: null, error: undefined });
  const text = JSON.stringify(body);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const preview = await previewOf(api, JSON.parse(text), { ride, issueDate }, stop.signal);
        if (!stop.signal.aborted) setState({ preview, ride: rideOf(preview), error: undefined });
      } catch (error) {
        if (!stop.signal.aborted) setState((before) => ({ ...before, preview: null, error }));
      }
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [api, text, ride, issueDate]);
  return state;
}

/** The pause after which typing has ended. The smallest plan allows sixty reads a minute. */
const TYPING_MS = 700;

/** The changes of a corrected document besides its body. Only a returned one takes another number. */
const FLAGS = ['redate', 'resequence'] as const;

/**
 * The point that was asked to issue a draft, by the key of the draft; and what records a point, unless one was asked before.
 * Several tabs may hold one draft, some of them asleep while another asks.
 */
function useAsked(tenantId: string) {
  const name = `asked.${tenantId}`;
  const read = (): Readonly<Record<string, string>> => JSON.parse(shared(name) ?? '{}');
  const [asked, setAsked] = useState(read);
  useEffect(() => hear(name, (value) => setAsked((own) => ({ ...own, ...JSON.parse(value) }))), [name]);
  const askFirst = (key: string, pointId: string): string => {
    const known = { ...asked, ...read() };
    const first = known[key] ?? pointId;
    const next = { ...known, [key]: first };
    setAsked(next);
    share(name, JSON.stringify(Object.fromEntries(Object.entries(next).slice(-REMEMBERED))));
    return first;
  };
  return [asked, askFirst] as const;
}

/** The number of newest drafts whose first point a browser remembers. */
const REMEMBERED = 100;

/** A new idempotency key, under which no point has issued yet. */
function newKey(): Pick<Kept, 'idempotencyKey'> {
  return { idempotencyKey: crypto.randomUUID() };
}

/** The errors by field. Before the first try, only those of typed values: a new form is incomplete. */
function wrongFields(error: unknown, isTried: boolean): readonly (readonly [field: string, message: string])[] {
  if (!(error instanceof ApiError)) return [];
  const shown = error.errors.filter(({ rule }) => isTried || !NOT_YET.includes(rule));
  return shown.map(({ field, message }) => [field, message]);
}

/** The missing fields of a form. */
function missingFields(error: unknown): readonly string[] {
  if (!(error instanceof ApiError)) return [];
  return error.errors.filter(({ rule }) => NOT_YET.includes(rule)).map(({ field }) => field);
}

const NOT_YET = ['required', 'minLength', 'minItems'];

/** The errors that no field on the page shows. */
function Others({ error, wrong }: { readonly error: unknown; readonly wrong: ReadonlyMap<string, string> }) {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  useEffect(() => {
    const seen = new Set([...document.querySelectorAll('.complaint')].map(({ textContent }) => textContent));
    setHidden([...wrong].flatMap(([field, message]) => (seen.has(message) ? [] : [rowIn(field) + message])));
  }, [error]);
  return (
    <ul>
      {hidden.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  );
}

/** The row of a field in the form, before its message. */
function rowIn(field: string): string {
  const [, list, place] = /^(\w+)\[(\d+)\]/.exec(field) ?? [];
  return list ? `${t(list as TextName)} ${Number(place) + 1}: ` : '';
}

/** The total of each line before tax, by its path in the body. */
function lineTotalsOf(previewed: Comprobante | null): ReadonlyMap<string, string> {
  const lines = previewed?.lines ?? [];
  return new Map(lines.map(({ total }, place) => [`items[${place}]`, total && dollars(total)]));
}

/** The RIDE on a narrow screen, which has no room for it next to the form. */
function RideButton({ isDisabled, read }: { readonly isDisabled: boolean; readonly read: () => Promise<Preview> }) {
  const [ride, setRide] = useState<Blob | null>(null);
  return (
    <>
      <Action icon={Eye} label={t('showRide')} {...{ isDisabled }} run={async () => setRide(rideOf(await read()))} />
      {ride && (
        <Dialog title={t('rideBeside')} close={() => setRide(null)}>
          <Ride of={ride} />
        </Dialog>
      )}
    </>
  );
}
