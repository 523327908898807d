import { supportDocumentTypes } from '../../catalogs/support-document-types.js';
import { TAX } from '../../catalogs/tax-types.js';
import { roundHalfUp, type Scaled, sum } from '../../money.js';
import { child, children, childText, type XmlElement } from '../../xml/reader.js';
import type { SriCheck } from '../document-type.js';
import { partyIdCheck } from '../parts/sri-checks.js';
import { amount, type Compare, compareReimbursements, compareSums } from '../parts/sum-checks.js';

/** The SRI's checks of a withholding receipt. Ficha técnica off-line v2.34, §11. */
export const WITHHOLDING_SRI_CHECKS: readonly SriCheck[] = [
  { code: '64', outcome: 'refuses', find: findUnknownTypes },
  { code: '52', outcome: 'refuses', find: (root) => [...findSubjectFaults(root), ...findDifferences(root)] },
  partyIdCheck('infoCompRetencion', 'SujetoRetenido'),
  { code: '68', outcome: 'warns', find: (root, { knows }) => findUnknownSettlements(root, knows) },
];

// --- internal ---

/** Amounts of `amount` have six decimals. */
const SCALE = 6;
/** [codDocSustento] A purchase settlement, which the withholding agent issues itself. */
const SETTLEMENT = '03';

/** Every element that names a supporting document: docSustento of schema 2.0.0, impuesto of 1.0.0. */
function referencesOf(root: XmlElement): readonly XmlElement[] {
  return [...children(child(root, 'docsSustento'), 'docSustento'), ...children(child(root, 'impuestos'), 'impuesto')];
}

function findUnknownTypes(root: XmlElement): readonly string[] {
  return referencesOf(root).flatMap((reference) => {
    const type = childText(reference, 'codDocSustento');
    return type === null || supportDocumentTypes.some(({ code }) => code === type) ? [] : [`codDocSustento: ${type}`];
  });
}

/** Checks purchase settlements of the issuer alone. The SRI does not publish its checks of other documents. */
function findUnknownSettlements(
  root: XmlElement,
  knows: (documentType: string, number: string) => boolean,
): readonly string[] {
  const numbers = referencesOf(root)
    .filter((reference) => childText(reference, 'codDocSustento') === SETTLEMENT)
    .map((reference) => (childText(reference, 'numDocSustento') ?? '').replace(/^(\d{3})(\d{3})(\d{9})$/, '$1-$2-$3'));
  return [...new Set(numbers)].filter((number) => !knows(SETTLEMENT, number));
}

/** Schema 2.0.0 states the kind of a foreign subject, which it leaves optional. */
function findSubjectFaults(root: XmlElement): readonly string[] {
  const info = child(root, 'infoCompRetencion');
  const isForeign = childText(info, 'tipoIdentificacionSujetoRetenido') === '08';
  if (!isForeign || !child(root, 'docsSustento') || childText(info, 'tipoSujetoRetenido') !== null) return [];
  return ['El tipo de sujeto retenido es obligatorio con una identificación del exterior'];
}

function findDifferences(root: XmlElement): readonly string[] {
  return compareSums(1, (compare) => {
    const documents = children(child(root, 'docsSustento'), 'docSustento');
    for (const document of documents) {
      const name = `del documento de sustento ${childText(document, 'numDocSustento') ?? ''}`;
      compareDocument(document, name, compare);
      for (const withheld of children(child(document, 'retenciones'), 'retencion')) {
        compareWithheld(withheld, name, compare);
      }
    }
    for (const withheld of children(child(root, 'impuestos'), 'impuesto')) {
      compareWithheld(withheld, `del documento de sustento ${childText(withheld, 'numDocSustento') ?? ''}`, compare);
    }
  });
}

function compareWithheld(withheld: XmlElement, document: string, compare: Compare): void {
  const code = childText(withheld, 'codigoRetencion') ?? '';
  const computed = percentage(amount(withheld, 'baseImponible'), amount(withheld, 'porcentajeRetener'));
  compare(`El valor retenido ${document}, código ${code},`, amount(withheld, 'valorRetenido'), computed);
}

function compareDocument(document: XmlElement, name: string, compare: Compare): void {
  const taxes = children(child(document, 'impuestosDocSustento'), 'impuestoDocSustento');
  for (const tax of taxes) {
    if (childText(tax, 'codImpuestoDocSustento') !== TAX.IVA) continue;
    const computed = percentage(amount(tax, 'baseImponible'), amount(tax, 'tarifa'));
    compare(`El valor del impuesto ${name}`, amount(tax, 'valorImpuesto'), computed);
  }
  const total = amount(document, 'totalSinImpuestos') + sum(taxes.map((tax) => amount(tax, 'valorImpuesto')));
  compare(`El importe total ${name}`, amount(document, 'importeTotal'), total);
  if (childText(document, 'totalComprobantesReembolso') !== null)
    compareReimbursements(document, document, compare, ` ${name}`);
}

/** base × percentage, in whole cents. */
function percentage(base: Scaled, rate: Scaled): Scaled {
  return roundHalfUp(roundHalfUp(base * rate, 2 * SCALE + 2, 2), 2, SCALE);
}
