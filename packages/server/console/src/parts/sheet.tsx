import type { ComponentChildren } from 'preact';
import type { Catalogs } from '../forms/form.js';
import { totalNameOf } from '../forms/form-types.js';
import { findForm, type LineColumn } from '../forms/forms.js';
import { dollars } from '../frame/format.js';
import { named, type TextName, t } from '../frame/language.js';
import type { Comprobante, ComprobanteSum } from './comprobante.js';

/** The lines of a document, as a table. */
export function Lines({ of: { lines }, documentType }: { readonly of: Comprobante; readonly documentType: string }) {
  if (lines.length === 0) return null;
  const own = findForm(documentType)?.columns ?? {};
  const isUsed = (name: LineColumn) =>
    lines.some((line) => line[name] !== '' && (name !== 'discount' || Number(line.discount) > 0));
  const columns = (Object.keys(COLUMNS) as LineColumn[]).filter(isUsed);
  const nameOf = (name: LineColumn) => t(own[name] ?? COLUMNS[name]);
  return (
    <table class="lines">
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} class={`of-${name}`}>
              {nameOf(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line, place) => (
          <tr key={place}>
            {columns.map((name) => (
              <td key={name} class={`of-${name}`} data-label={nameOf(name)}>
                {name === 'total' || name === 'discount' ? dollars(line[name]) : line[name]}
                {name === 'text' &&
                  line.about.map((text) => (
                    <p key={text} class="hint">
                      {text}
                    </p>
                  ))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The sums of a document, and its total. */
export function Sums({
  of,
  total,
  documentType,
  catalogs,
}: {
  readonly of: Comprobante | null;
  readonly total: string | null | undefined;
  readonly documentType: string;
  readonly catalogs: Catalogs;
}) {
  const totalName = totalNameOf(documentType);
  if (totalName === null) return null;
  return (
    <dl class="sums">
      {of?.sums.map((sum, place) => (
        <div key={place}>
          <dt>{labelOf(sum, catalogs)}</dt>
          <dd class="amount">{dollars(sum.amount)}</dd>
        </div>
      ))}
      <div class="grand">
        <dt>{t(totalName)}</dt>
        <dd class="amount">{dollars(total)}</dd>
      </div>
    </dl>
  );
}

/** The payments and the additional information of a document. */
export function Foot({
  of: { payments, info, modified, facts },
  catalogs,
}: {
  readonly of: Comprobante;
  readonly catalogs: Catalogs;
}) {
  const methods = catalogs['payment-methods'] ?? [];
  return (
    <dl class="facts">
      {modified && (
        <Fact name={t('originalDocument')} isWide>
          {modified.number} · {modified.date}
          {modified.reason && ` · ${modified.reason}`}
        </Fact>
      )}
      {payments.map(({ method, total, term }, place) => (
        <Fact key={place} name={t('paymentMethod')} isWide>
          {methods.find(({ code }) => code === method)?.description ?? method} · {dollars(total)}
          {term && ` · ${t('term')}: ${term}`}
        </Fact>
      ))}
      {[...facts, ...info].map(({ name, value }, place) => (
        <Fact key={place} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

/** An entry of a list of facts. */
export function Fact({
  name,
  isWide = false,
  children,
}: {
  readonly name: string;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <div class={isWide ? 'wide' : ''}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

// --- internal ---

const COLUMNS: Readonly<Record<LineColumn, TextName>> = {
  code: 'mainCode',
  text: 'description',
  quantity: 'quantity',
  price: 'unitPrice',
  discount: 'discount',
  total: 'lineTotal',
};

/** The text of a sum of a document. */
function labelOf({ name, tax }: ComprobanteSum, catalogs: Catalogs): string {
  if (!tax) return name;
  const entry = catalogs['tax-rates']?.find(
    ({ taxCode, rateCode }) => taxCode === tax.code && rateCode === tax.rateCode,
  );
  // The base of a tax on units is their number.
  const base = entry?.['basis'] === 'unit' ? dollars(tax.base).slice(1) : dollars(tax.base);
  return t('taxOn', { tax: entry?.description ?? named('tax', tax.code), base });
}
