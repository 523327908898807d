import { ArrowDown, ArrowUp, Download, RotateCw, Search, Send } from 'lucide';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Client, Document } from 'sri-core/client';
import { plain } from '../forms/form.js';
import { FORM_TYPES } from '../forms/form-types.js';
import { useKeptFocus } from '../frame/focus.js';
import { counted, numberOf, pointOf, toIssueDate } from '../frame/format.js';
import { named, t } from '../frame/language.js';
import { documentsWith } from '../frame/places.js';
import { useWork, type Work } from '../frame/session.js';
import { Action, Menu, save } from '../parts/action.js';
import { DocumentRow } from '../parts/document-row.js';
import { Choice, Field } from '../parts/form.js';
import { PageHead } from '../parts/heading.js';
import { Icon } from '../parts/icon.js';
import { Empty, Loaded, Outline, useLoad, useWatch } from '../parts/load.js';
import { NoDocuments } from '../parts/no-documents.js';

/** The documents of the selected point, or of all. The address contains the filter. */
export default function Documents() {
  const work = useWork();
  const { query, route } = useLocation();
  const page = Number(query['page'] ?? 1) || 1;
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null);
  const filter = chosenIn(query, FILTERS);
  const order = chosenIn(query, ORDER);
  const view = { ...filter, ...order };
  const asked = { ...toQuery(filter), ...(work.issuer ? {} : { issuerId: 'all' }) };
  const read = (at: number) =>
    work.api.call('listDocuments', { query: { ...asked, ...order, page: at, limit: PAGE_SIZE } as never });
  const readPage = async () => {
    const answer = await read(page);
    // Documents that no longer match the filter may leave fewer pages.
    const last = Math.ceil(answer.pagination.total / PAGE_SIZE);
    return last > 0 && page > last ? read(last) : answer;
  };
  const loading = useLoad(readPage, [JSON.stringify(asked), page, work.issuer?.id], JSON.stringify(order));
  const isMoving = loading.value?.data.some(({ dispatch }) => dispatch && dispatch.status !== 'FAILED') ?? false;
  useWatch(loading.look, isMoving, []);
  const look = (next: Readonly<Record<string, string>>) => {
    setOutcome(null);
    route(documentsWith(Object.fromEntries(Object.entries({ ...view, ...next }).filter(([, value]) => value !== ''))));
  };
  return (
    <>
      <PageHead of={t('documents')}>
        <div class="buttons">
          <Export api={work.api} asked={asked} />
        </div>
      </PageHead>
      <SearchBar filter={view} look={look} />
      <Loaded of={loading} outline={<Outline rows={8} />}>
        {({ data, pagination }) =>
          data.length > 0 ? (
            <List key={page} documents={data} {...{ pagination, filter: view, reload: loading.reload, setOutcome }} />
          ) : Object.keys(filter).length > 0 ? (
            <Empty title={t('noDocuments')}>
              <button type="button" onClick={() => route(documentsWith({}))}>
                {t('clearFilters')}
              </button>
            </Empty>
          ) : (
            <NoDocuments />
          )
        }
      </Loaded>
      {outcome && (
        <p
          class={outcome.failed > 0 ? 'bulk card problem' : 'bulk card'}
          role={outcome.failed > 0 ? 'alert' : 'status'}
        >
          {outcome.queued > 0 && t('someQueued', { count: outcome.queued })}{' '}
          {outcome.failed > 0 && t('someFailed', { count: outcome.failed })}
        </p>
      )}
    </>
  );
}

// --- internal ---

const STATUSES = ['SIGNED', 'PENDING_SEND', 'RECEIVED', 'RETURNED', 'AUTHORIZED', 'NOT_AUTHORIZED', 'VOIDED'];
const FILTERS = ['q', 'status', 'documentType', 'from', 'to', 'totalFrom', 'totalTo'];
const RARE = ['from', 'to', 'totalFrom', 'totalTo'] as const;
const PAGE_SIZE = 25;

/** The columns that the server sorts by. */
const SORTED = { buyerName: 'counterparty', sequential: 'document', issueDate: 'date', status: 'status' } as const;
const ORDER = ['sortBy', 'sortDir'];

function chosenIn(query: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}

/** The filter as the interface has it: days as documents write them. */
function toQuery({ from, to, ...others }: Readonly<Record<string, string>>): Record<string, string> {
  return { ...others, ...(from ? { from: toIssueDate(from) } : {}), ...(to ? { to: toIssueDate(to) } : {}) };
}

function SearchBar({
  filter,
  look,
}: {
  readonly filter: Readonly<Record<string, string>>;
  readonly look: (filter: Readonly<Record<string, string>>) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (location.hash === '#search') field.current?.focus();
  }, []);
  useEffect(() => {
    if (field.current) field.current.value = filter['q'] ?? '';
  }, [filter['q']]);
  const choice = (name: string, codes: readonly string[], prefix: 'status' | 'type', none: string) => (
    <Choice
      aria-label={t(prefix)}
      value={filter[name] ?? ''}
      none={none}
      of={codes.map((code) => [code, named(prefix, code)])}
      choose={(code) => look({ [name]: code })}
    />
  );
  const rare = (name: (typeof RARE)[number]) => {
    // While the year is typed, the field has a day of another century.
    const change = ({ currentTarget: { value, validity } }: { currentTarget: HTMLInputElement }) =>
      validity.valid && look({ [name]: plain(value) });
    return (
      <Field label={t(name)} name={name}>
        {(attributes) =>
          name === 'from' || name === 'to' ? (
            <input {...attributes} type="date" min="2000-01-01" value={filter[name] ?? ''} onChange={change} />
          ) : (
            <input {...attributes} type="text" inputMode="decimal" value={filter[name] ?? ''} onChange={change} />
          )
        }
      </Field>
    );
  };
  return (
    <search class="filters">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          look({ q: field.current?.value.trim() ?? '' });
        }}
      >
        <Icon of={Search} />
        <input ref={field} type="search" placeholder={t('searchHint')} aria-label={t('search')} />
      </form>
      {choice('status', STATUSES, 'status', t('anyStatus'))}
      {choice('documentType', FORM_TYPES, 'type', t('anyType'))}
      <details class="menu" open={RARE.some((name) => filter[name])}>
        <summary class="button">{t('moreFilters')}</summary>
        <div class="choices grid">{RARE.map(rare)}</div>
      </details>
    </search>
  );
}

function List({
  documents,
  pagination: { total, page, limit },
  filter,
  reload,
  setOutcome,
}: {
  readonly documents: readonly Document[];
  readonly pagination: { readonly total: number; readonly page: number; readonly limit: number };
  readonly filter: Readonly<Record<string, string>>;
  readonly reload: () => Promise<void>;
  readonly setOutcome: (outcome: BulkOutcome | null) => void;
}) {
  const work = useWork();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const table = useRef<HTMLTableElement>(null);
  useKeptFocus(table);
  // Back from a document leads to its row.
  useLayoutEffect(() => document.getElementById(history.state?.opened)?.focus(), []);
  const marked = documents.filter(({ accessKey }) => chosen.has(accessKey));
  const mayWrite = work.can('documents:write');
  const last = Math.max(1, Math.ceil(total / limit));
  const toggle = (accessKey: string) => {
    const next = new Set(chosen);
    if (!next.delete(accessKey)) next.add(accessKey);
    setChosen(next);
    setOutcome(null);
  };
  const isAll = marked.length === documents.length;
  const at = (to: number) => documentsWith({ ...filter, page: String(to) });
  return (
    <div class="listing">
      {marked.length > 0 && (
        <Bulk
          documents={marked}
          done={async (outcome) => {
            setChosen(new Set());
            setOutcome(outcome);
            await reload();
          }}
        />
      )}
      <table ref={table} class="list stacked">
        <thead>
          <tr>
            {mayWrite && (
              <th class="tick">
                <input
                  type="checkbox"
                  aria-label={t('chooseAll')}
                  checked={isAll}
                  onChange={() => setChosen(isAll ? new Set() : new Set(documents.map(({ accessKey }) => accessKey)))}
                />
              </th>
            )}
            {Object.entries(SORTED).map(([sortBy, name]) => {
              const direction = filter['sortBy'] === sortBy ? (filter['sortDir'] ?? 'asc') : null;
              const isUp = direction === 'asc';
              return (
                <th key={sortBy} aria-sort={direction ? (isUp ? 'ascending' : 'descending') : undefined}>
                  <a href={documentsWith({ ...filter, sortBy, sortDir: isUp ? 'desc' : 'asc' })}>
                    {t(name)}
                    {direction && <Icon of={isUp ? ArrowUp : ArrowDown} size={14} />}
                  </a>
                </th>
              );
            })}
            <th class="amount">{t('total')}</th>
          </tr>
        </thead>
        <tbody>
          {documents.map((document) => {
            const { accessKey } = document;
            const isChosen = chosen.has(accessKey);
            return (
              <DocumentRow key={accessKey} of={document} isChosen={isChosen}>
                {mayWrite && (
                  <td class="tick">
                    <input
                      type="checkbox"
                      aria-label={`${t('choose')} ${numberOf(accessKey)}`}
                      checked={isChosen}
                      onChange={() => toggle(accessKey)}
                    />
                  </td>
                )}
              </DocumentRow>
            );
          })}
        </tbody>
      </table>
      <nav class="pages" aria-label={t('pages')}>
        <span>{t('found', { total: counted(total) })}</span>
        {page > 1 && (
          <a rel="prev" href={at(page - 1)}>
            {t('before')}
          </a>
        )}
        <span>{t('page', { page, pages: last })}</span>
        {page < last && (
          <a rel="next" href={at(page + 1)}>
            {t('after')}
          </a>
        )}
      </nav>
    </div>
  );
}

/** The calls for the point that issued a document. */
export function callsFor({ issuers, apiOf, api }: Work, accessKey: string): Client {
  const own = pointOf(issuers, accessKey);
  return own ? apiOf(own.id) : api;
}

/** The numbers of documents that an action queued for the SRI, and that it could not queue. */
interface BulkOutcome {
  readonly queued: number;
  readonly failed: number;
}

/** The actions on several documents. An action skips the documents that it does not apply to. */
function Bulk({
  documents,
  done,
}: {
  readonly documents: readonly Document[];
  readonly done: (outcome: BulkOutcome) => Promise<void>;
}) {
  const work = useWork();
  const each = (of: readonly Document[], name: 'sendDocument' | 'retryDocument') => async () => {
    const outcome = { queued: 0, failed: 0 };
    for (const { accessKey } of of) {
      await callsFor(work, accessKey)
        .call(name, { params: { accessKey } })
        .then(
          () => outcome.queued++,
          () => outcome.failed++,
        );
    }
    await done(outcome);
  };
  const signed = documents.filter(({ status }) => status === 'SIGNED');
  const given = documents.filter(({ dispatch }) => dispatch?.status === 'FAILED');
  return (
    <section class="bulk card" aria-label={t('chosen', { count: documents.length })}>
      <strong>{t('chosen', { count: documents.length })}</strong>
      <Action
        icon={Send}
        label={`${t('send')} (${signed.length})`}
        isDisabled={signed.length === 0}
        run={each(signed, 'sendDocument')}
      />
      <Action
        icon={RotateCw}
        label={`${t('retry')} (${given.length})`}
        isDisabled={given.length === 0}
        run={each(given, 'retryDocument')}
      />
    </section>
  );
}

/** The list as a file, with its filter. */
function Export({ api, asked }: { readonly api: Client; readonly asked: Record<string, string> }) {
  const run = (format: (typeof EXPORTS)[number]) => async () => {
    // A large file takes longer than the client waits for an answer.
    const file = await api.documents.export({ ...asked, format } as never);
    save(await new Response(file).blob(), `${t('documents').toLowerCase()}.${format}`);
  };
  return (
    <Menu label={t('export')} icon={Download}>
      {EXPORTS.map((format) => (
        <Action key={format} kind="plain" label={t(`export.${format}`)} run={run(format)} />
      ))}
    </Menu>
  );
}

const EXPORTS = ['xlsx', 'csv', 'zip'] as const;
