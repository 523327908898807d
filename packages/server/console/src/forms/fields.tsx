import { CircleX, Plus, UserRound } from 'lucide';
import { createContext } from 'preact';
import { useContext, useId, useMemo, useRef, useState } from 'preact/hooks';
import { keepFocus } from '../frame/focus.js';
import { toFieldDate, toIssueDate } from '../frame/format.js';
import { type TextName, t, useLanguage } from '../frame/language.js';
import { Combobox, type Suggestion } from '../parts/combobox.js';
import { Check, Choice, type FieldAttributes, Field as Labelled } from '../parts/form.js';
import { Icon } from '../parts/icon.js';
import type { Earlier } from './earlier.js';
import {
  type CatalogEntry,
  type Catalogs,
  type Draft,
  type Field,
  isAmbiguous,
  isEmpty,
  namesOf,
  openRow,
  partOf,
  pickRow,
  placeInBody,
  plain,
  rowsOf,
} from './form.js';
import { FINAL_CONSUMER } from './parts.js';
import { IVA } from './taxes.js';

/** The shared data of the fields of a form. */
interface Filling extends Earlier {
  readonly catalogs: Catalogs;
  /** The errors, by the path in the body. */
  readonly wrong: ReadonlyMap<string, string>;
  /** The missing values, by the path in the body. */
  readonly missing: ReadonlySet<string>;
}

/** The shared data of the fields of a form. */
export const FillingContext = createContext<Filling | null>(null);

/** The total of each line by its path, as computed by the server. Apart, so that new totals draw only their lines. */
export const LineTotals = createContext<ReadonlyMap<string, string>>(new Map());

/** The fields of a form, or of a part of it. */
export function Fields({ fields, path = '', row, holder = row, onChange, part }: FieldsProps) {
  const { catalogs } = useFilling();
  const blocks: { readonly isGrid: boolean; readonly fields: Field[] }[] = [];
  for (const field of fields) {
    if (field.shown && !field.shown(row, holder, catalogs)) continue;
    const isGrid = field.fields === undefined;
    const last = blocks.at(-1);
    if (isGrid && last?.isGrid) last.fields.push(field);
    else blocks.push({ isGrid, fields: [field] });
  }
  return (
    <>
      {blocks.map(({ isGrid, fields: own }, place) =>
        isGrid ? (
          <div key={place} class="grid">
            {own.map((field) => (
              <Leaf key={field.name} {...{ field, path, row, holder, onChange, part }} />
            ))}
          </div>
        ) : (
          own.map((field) => <Block key={field.name} {...{ field, path, row, holder, onChange, part }} />)
        ),
      )}
    </>
  );
}

// --- internal ---

/** Changes the current draft: a browser that fills in a form changes many fields before the next drawing. */
type Change = (now: Draft) => Draft;

interface FieldPathProps {
  readonly path?: string;
  readonly row: Draft;
  /** The draft that contains the row. */
  readonly holder?: Draft;
  readonly onChange: (change: Change) => void;
  /** The group or list of this row, which earlier documents may complete. */
  readonly part?: Field | undefined;
}

interface FieldsProps extends FieldPathProps {
  readonly fields: readonly Field[];
}

interface FieldProps extends FieldPathProps {
  readonly field: Field;
}

function useFilling(): Filling {
  const filling = useContext(FillingContext);
  if (!filling) throw new Error('These fields belong into a form.');
  return filling;
}

const labelOf = ({ label, name }: Field) => t(label ?? (name as TextName));
const under = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

function Block(props: FieldProps) {
  const { field, row } = props;
  const { wrong, missing } = useFilling();
  const isOpen = useRef(false);
  const [isDrawn, setDrawn] = useState(false);
  const title = labelOf(field);
  const content =
    field.kind === 'list' ? (
      <List {...props} />
    ) : field.kind === 'group' ? (
      <Group {...props} />
    ) : (
      <Section {...props} />
    );
  if (!field.folded) {
    const own = under(props.path ?? '', field.name);
    const complaint = wrong.get(own);
    return (
      <fieldset>
        <legend class={missing.has(own) ? 'missing' : ''}>{title}</legend>
        {complaint && <p class="complaint">{complaint}</p>}
        {content}
      </fieldset>
    );
  }
  const held =
    field.kind === 'section' ? Object.fromEntries(namesOf(field).map((name) => [name, row[name]])) : row[field.name];
  const isWrong = [...wrong.keys()].some((path) =>
    namesOf(field).some((name) => path.startsWith(under(props.path ?? '', name))),
  );
  // A fold does not close under the user who deletes its last text. Before it opens, its content is not drawn.
  isOpen.current ||= !isEmpty(held) || isWrong;
  return (
    <details class="fold" open={isOpen.current} onToggle={() => setDrawn(!isOpen.current)}>
      <summary>{title}</summary>
      {(isDrawn || isOpen.current) && content}
    </details>
  );
}

function Section({ field, path = '', row, holder, onChange, part }: FieldProps) {
  return <Fields fields={field.fields ?? []} {...{ path, row, onChange, part }} holder={holder ?? row} />;
}

function Group({ field, path = '', row, onChange }: FieldProps) {
  const own = partOf(row, field.name);
  const change = (next: Change) => onChange((now) => ({ ...now, [field.name]: next(partOf(now, field.name)) }));
  const hasFinalConsumer = field.completes === 'party' && field.fields?.[0]?.codes === undefined;
  return (
    <>
      {hasFinalConsumer && own['idType'] !== FINAL_CONSUMER.idType && (
        <button type="button" class="plain preset" onClick={() => change((now) => ({ ...now, ...FINAL_CONSUMER }))}>
          <Icon of={UserRound} />
          {t('finalConsumer')}
        </button>
      )}
      <Fields
        fields={field.fields ?? []}
        path={under(path, field.name)}
        row={own}
        holder={row}
        onChange={change}
        part={field}
      />
    </>
  );
}

function List({ field, path = '', row: holder, onChange }: FieldProps) {
  const { name, required, add = 'addItem' } = field;
  const rows = rowsOf(holder, name);
  const change = (next: ChangeRows) => onChange((now) => ({ ...now, [name]: next(rowsOf(now, name)) }));
  const id = useId();
  const append = () => {
    change((now) => [...now, openRow(field, null)]);
    requestAnimationFrame(() => {
      const entries = document.getElementById(id)?.querySelectorAll(':scope > .entry');
      entries?.[entries.length - 1]?.querySelector<HTMLElement>('input, select')?.focus();
    });
  };
  return (
    <div id={id} class="entries">
      {rows.map((row, place) => {
        const own = under(path, `${name}[${required ? place : placeInBody(rows, place)}]`);
        return <Row key={place} {...{ field, place, path: own, row, holder, change }} />;
      })}
      <button type="button" class="add" onClick={append}>
        <Icon of={Plus} size={16} />
        {t(add)}
      </button>
    </div>
  );
}

type ChangeRows = (now: readonly Draft[]) => readonly Draft[];

/** A row of a list. A key typed elsewhere in the form does not draw it again: an invoice may have hundreds of lines. */
function Row({
  field,
  place,
  path,
  row,
  holder,
  change,
}: {
  readonly field: Field;
  readonly place: number;
  readonly path: string;
  readonly row: Draft;
  readonly holder: Draft;
  readonly change: (change: ChangeRows) => void;
}) {
  const { name, fields = [], look, required } = field;
  const count = rowsOf(holder, name).length;
  // Its fields get the number of rows from their holder, and inside another row also the values beside the list.
  const beside = path.startsWith(`${name}[`)
    ? []
    : Object.entries(holder).flatMap((each) => (each[0] === name ? [] : each));
  return useMemo(
    () => (
      <fieldset class={`entry ${look ?? 'block'}`} aria-label={`${labelOf(field)} ${place + 1}`}>
        <Fields
          {...{ fields, path, row, holder, part: field }}
          onChange={(next) => change((now) => now.map((each, at) => (at === place ? next(each) : each)))}
        />
        <div class="end">
          <LineTotal path={path} />
          {(!required || count > 1) && (
            <button
              type="button"
              class="plain remove"
              aria-label={`${t('remove')} ${labelOf(field)} ${place + 1}`}
              // The second click of a double click would remove the next row.
              onClick={({ detail, currentTarget }) => {
                if (detail > 1) return;
                const add = currentTarget.closest('.entries')?.querySelector<HTMLElement>(':scope > .add');
                change((now) => now.filter((_row, at) => at !== place));
                keepFocus(() => add?.focus());
              }}
            >
              <Icon of={CircleX} />
            </button>
          )}
        </div>
      </fieldset>
    ),
    [path, row, count, useLanguage(), ...beside],
  );
}

function LineTotal({ path }: { readonly path: string }) {
  const total = useContext(LineTotals).get(path);
  return total === undefined ? null : <output class="amount">{total}</output>;
}

function Leaf(props: FieldProps) {
  const { field, path = '', row, holder = row, onChange } = props;
  const { catalogs, wrong, missing } = useFilling();
  const { kind, name, hint, fill } = field;
  const value = row[name];
  const set = (next: unknown, more: Draft = {}) =>
    onChange((now) => {
      const changed = { ...now, [name]: next, ...more };
      return fill ? { ...changed, ...fill(changed, holder, catalogs) } : changed;
    });
  if (kind === 'check') {
    return (
      <Check
        label={labelOf(field)}
        checked={value === true}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
    );
  }
  const own = under(path, name).replace('.others[', '.taxes[');
  const complaint = wrong.get(own) ?? (kind === 'rate' ? aboutIva(wrong, path, row) : undefined);
  const reading =
    kind === 'amount' && isAmbiguous(value)
      ? t('readAs', { value: plain(value), whole: plain(value).replace('.', '') })
      : undefined;
  return (
    <div class={`cell cell-${name}`}>
      <Labelled
        label={labelOf(field)}
        hint={reading ?? (hint && t(hint))}
        wrong={complaint}
        isMissing={missing.has(own) || (kind === 'rate' && missing.has(under(path, 'taxes')))}
      >
        {(attributes) => <Input {...props} {...{ attributes, set }} value={String(value ?? '')} />}
      </Labelled>
    </div>
  );
}

/** The complaint about the IVA of a line. The body has it after the other taxes. */
function aboutIva(wrong: ReadonlyMap<string, string>, path: string, row: Draft): string | undefined {
  const others = rowsOf(row, 'others');
  const isOther = (place: string) =>
    Number(/\d+/.exec(place.slice(path.length))?.[0]) < placeInBody(others, others.length);
  return [...wrong].find(([place]) => place.startsWith(`${path}.taxes`) && !isOther(place))?.[1];
}

interface InputProps extends FieldProps {
  readonly attributes: FieldAttributes;
  readonly value: string;
  readonly set: (value: unknown, more?: Draft) => void;
}

function Input(props: InputProps) {
  const { field, attributes, value, set } = props;
  const { kind } = field;
  if (kind === 'choice') return <CodeChoice {...props} />;
  if (kind === 'rate' || kind === 'tax') return <TaxChoice {...props} />;
  if (kind === 'date') {
    return (
      <input
        {...attributes}
        type="date"
        value={toFieldDate(value)}
        onInput={({ currentTarget }) => set(toIssueDate(currentTarget.value))}
      />
    );
  }
  if (kind === 'text' && (field.catalog || isCompleted(props))) return <Completed {...props} />;
  if (kind === 'email') {
    return (
      <input {...attributes} type="email" value={value} onInput={({ currentTarget }) => set(currentTarget.value)} />
    );
  }
  const isNumber = kind === 'amount' || kind === 'integer';
  return (
    <input
      {...attributes}
      type="text"
      value={value}
      inputMode={kind === 'amount' ? 'decimal' : kind === 'integer' ? 'numeric' : undefined}
      class={isNumber ? 'number' : undefined}
      placeholder={field.isComputed ? t('computed') : undefined}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

function isCompleted({ part, field: { name } }: InputProps): boolean {
  if (part?.completes === 'party') return name === 'id' || name === 'name';
  return part?.completes === 'item' && (name === 'description' || name === 'mainCode');
}

function Completed({ field, attributes, value, set, row, onChange, part }: InputProps) {
  const filling = useFilling();
  const { catalog, name, suggested } = field;
  const suggest = async (text: string): Promise<readonly Suggestion[]> => {
    if (catalog) return fitting(filling.catalogs[catalog] ?? [], text, (entry) => suggested?.(entry, row) ?? true);
    if (part?.completes === 'item') return filling.suggestItems(text);
    return row['idType'] === FINAL_CONSUMER.idType ? [] : filling.suggestParties(text);
  };
  const pick = async (picked: string) => {
    if (catalog) set(picked);
    else if (part?.completes === 'item') onChange((now) => pickRow(part, filling.pickItem(picked), now));
    else {
      // The new party has another address than the former party.
      const cleared: Draft = { idType: row['idType'], [name]: value };
      onChange(() => cleared);
      // The former party stays where the new one cannot be read.
      const party = await filling.pickParty(picked).catch(() => row);
      // Typing during the call stays, and another name or identification means another party.
      onChange((now) => {
        if (now[name] !== value) return now;
        const untyped = (part?.fields ?? []).flatMap(namesOf).filter((each) => now[each] === cleared[each]);
        return { ...now, ...Object.fromEntries(untyped.map((each) => [each, party[each] ?? now[each]])) };
      });
    }
  };
  return (
    <Combobox
      {...{ attributes, value, suggest }}
      // Only a RUC and a cédula have no letters.
      inputMode={name === 'id' && /^0[45]$/.test(String(row['idType'])) ? 'numeric' : undefined}
      onInput={(text) => set(text)}
      onPick={pick}
    />
  );
}

function fitting(entries: readonly CatalogEntry[], text: string, isOffered: (entry: CatalogEntry) => boolean) {
  const wanted = text.toLowerCase();
  return entries
    .filter(isOffered)
    .filter(({ code, description }) => `${code} ${description}`.toLowerCase().includes(wanted))
    .slice(0, 30)
    .map(({ code, description }) =>
      code ? { value: code, label: `${code} · ${description}` } : { value: description, label: description },
    );
}

function CodeChoice({ field, attributes, value, set }: InputProps) {
  const { catalogs } = useFilling();
  const { catalog, codes, texts, coded, required } = field;
  const offered: readonly (readonly [string, string])[] = catalog
    ? (catalogs[catalog] ?? [])
        .filter(({ code }) => !codes || codes.includes(code))
        .map(({ code, description }) => [code, coded ? `${code} · ${description}` : description])
    : (codes ?? []).map((code) => [code, t(`${texts}.${code}` as TextName)]);
  const none = required && value !== '' ? undefined : '–';
  return <Choice {...attributes} {...{ value, none }} of={withOwn(offered, value, value)} choose={set} />;
}

/** The rate of IVA, or a tax with its rate. The rate of an older document stays, although it is not in force. */
function TaxChoice({ field, attributes, row, set }: InputProps) {
  const { catalogs } = useFilling();
  const isIva = field.kind === 'rate';
  const codes = isIva ? [IVA] : (field.codes ?? []);
  const offered = (catalogs['tax-rates'] ?? []).filter(({ taxCode }) => codes.includes(String(taxCode)));
  const codeOf = (taxCode: unknown, rateCode: unknown) => `${taxCode} ${rateCode}`;
  const value = row['rateCode'] ? codeOf(isIva ? IVA : row['code'], row['rateCode']) : '';
  const rates = offered.map(({ taxCode, rateCode, description }) => [codeOf(taxCode, rateCode), description] as const);
  const choose = (chosen: string) => {
    const entry = offered.find(({ taxCode, rateCode }) => codeOf(taxCode, rateCode) === chosen);
    set(entry?.['rateCode'] ?? '', { rate: entry?.['rate'] ?? '', ...(isIva ? {} : { code: entry?.['taxCode'] }) });
  };
  return <Choice {...attributes} {...{ value, choose }} none="–" of={withOwn(rates, value, `${row['rate']} %`)} />;
}

/** The offered values, and a value that is no longer offered, which the server judges. */
function withOwn(offered: readonly (readonly [string, string])[], value: string, text: string) {
  return value === '' || offered.some(([code]) => code === value) ? offered : [...offered, [value, text] as const];
}
