import type { Catalogs } from '../forms/form.js';
import { findForm } from '../forms/forms.js';
import { dollars } from '../frame/format.js';
import { named, t } from '../frame/language.js';
import type { Comprobante, ComprobanteSum } from './comprobante.js';

/** The lines of a document, as a table. */
export function Lines({ of: { lines }, documentType }: { readonly of: Comprobante; readonly documentType: string }) {
  const isWithholding = documentType === '07';
  const has = (name: 'code' | 'quantity' | 'price' | 'discount' | 'total') =>
    lines.some((line) => line[name] !== '' && (name !== 'discount' || Number(line.discount) > 0));
  if (lines.length === 0) return null;
  return (
    <div class="scroll">
      <table class="lines">
        <thead>
          <tr>
            {has('code') && <th>{t(isWithholding ? 'withholdingCode' : 'mainCode')}</th>}
            <th>{t(isWithholding ? 'documentNumber' : 'description')}</th>
            {has('quantity') && <th class="amount">{t(isWithholding ? 'taxableBase' : 'quantity')}</th>}
            {has('price') && <th class="amount">{t(isWithholding ? 'percentage' : 'unitPrice')}</th>}
            {has('discount') && <th class="amount">{t('discount')}</th>}
            {has('total') && <th class="amount">{t(isWithholding ? 'withheld' : 'lineTotal')}</th>}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, place) => (
            <tr key={place}>
              {has('code') && <td>{line.code}</td>}
              <td>
                {line.text}
                {line.about.map((text) => (
                  <p key={text} class="hint">
                    {text}
                  </p>
                ))}
              </td>
              {has('quantity') && (
                <td class="amount">{isWithholding ? dollars(line.quantity) : shortened(line.quantity)}</td>
              )}
              {has('price') && <td class="amount">{isWithholding ? line.price : shortened(line.price)}</td>}
              {has('discount') && <td class="amount">{line.discount}</td>}
              {has('total') && <td class="amount">{dollars(line.total)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
  readonly total: string | null;
  readonly documentType: string;
  readonly catalogs: Catalogs;
}) {
  if (documentType === '06') return null;
  return (
    <dl class="sums">
      {of?.sums.map((sum, place) => (
        <div key={place}>
          <dt>{nameOf(sum, catalogs)}</dt>
          <dd class="amount">{dollars(sum.amount)}</dd>
        </div>
      ))}
      <div class="grand">
        <dt>{t(findForm(documentType)?.totalName ?? 'total')}</dt>
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
        <div class="wide">
          <dt>{t('originalDocument')}</dt>
          <dd>
            {modified.number} · {modified.date}
            {modified.reason && ` · ${modified.reason}`}
          </dd>
        </div>
      )}
      {payments.map(({ method, total, term }, place) => (
        <div key={place}>
          <dt>{t('paymentMethod')}</dt>
          <dd>
            {methods.find(({ code }) => code === method)?.description ?? method} · {dollars(total)}
            {term && ` · ${t('term')}: ${term}`}
          </dd>
        </div>
      ))}
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{named('sri', name)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {info.map(({ name, value }, place) => (
        <div key={place}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

// --- internal ---

function nameOf({ name, tax }: ComprobanteSum, catalogs: Catalogs): string {
  if (!tax) return named('sri', name);
  const entry = catalogs['tax-rates']?.find(
    ({ taxCode, rateCode }) => taxCode === tax.code && rateCode === tax.rateCode,
  );
  return t('taxOn', { tax: entry?.description ?? named('tax', tax.code), base: dollars(tax.base) });
}

/** A number without the zeros at its end. */
function shortened(text: string): string {
  return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}
