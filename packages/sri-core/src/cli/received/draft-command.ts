import { readComprobante } from '../../documents/read-comprobante.js';
import type { Comprobante } from '../../documents/registry.js';
import { isWithholdable, type WithholdableComprobante, withholdingDraft } from '../../received/withholding-draft.js';
import { type CommandOptions, defineCommand, textOption } from '../command.js';
import { requireComprobanteFile } from '../diagnosis/comprobante-file.js';
import { CommandFailure, UsageError } from '../failure.js';
import { MAX_XML_BYTES, readInputFile } from '../input-file.js';

const DRAFT_OPTIONS = {
  email: textOption('address', { es: 'El correo del proveedor', en: 'The mail address of the supplier' }),
  'support-code': textOption('code', {
    es: 'Código de sustento: tabla 5 del ATS, como 01',
    en: 'Purpose of the purchase: table 5 of the ATS, such as 01',
  }),
  income: textOption('code:rate', {
    es: 'Retención de renta, como 312:2',
    en: 'Withholding of income tax, such as 312:2',
  }),
  iva: textOption('code:rate', { es: 'Retención de IVA, como 1:30', en: 'Withholding of IVA, such as 1:30' }),
} as const satisfies CommandOptions;

/** `withholding draft` */
export const withholdingDraftCommand = defineCommand({
  about: {
    es: 'Escribe el JSON de una retención (07) sobre una factura, nota de débito o liquidación recibida. Lo que el comprobante no\ndice se da con las opciones; lo que todavía falta se nombra aparte.',
    en: 'Writes the JSON of a withholding (07) on a received invoice, debit note or settlement. What the document does not say\ncomes from the options; what is still missing is named apart.',
  },
  args: [{ name: 'file', description: { es: 'El XML recibido', en: 'The received XML' } }],
  options: DRAFT_OPTIONS,
  async run({ args, options, language, terminal }) {
    const path = args[0] ?? '';
    const { xml } = requireComprobanteFile(await readInputFile(path, { maxBytes: MAX_XML_BYTES, terminal }));
    const { body, bases, missing } = withholdingDraft(requireWithholdable(readComprobante(xml)));
    const withholdings = [
      ...readWithholding('--income', '1', options.income, bases.incomeTax),
      ...readWithholding('--iva', '2', options.iva, bases.iva),
    ];
    const [document] = body.supportingDocuments;
    const filled = {
      ...body,
      subject: { ...body.subject, ...(options.email === null ? {} : { email: options.email }) },
      supportingDocuments: [
        {
          ...(options['support-code'] === null ? {} : { supportCode: options['support-code'] }),
          ...document,
          ...(withholdings.length === 0 ? {} : { withholdings }),
        },
      ],
    };
    const given: Readonly<Record<string, boolean>> = {
      'subject.email': options.email !== null,
      'supportingDocuments[0].supportCode': options['support-code'] !== null,
      'supportingDocuments[0].withholdings': withholdings.length > 0,
    };
    const left = missing.filter(({ field }) => !given[field]);
    return {
      json: {
        ok: true,
        body: filled,
        bases,
        missing: left.map(({ field, about }) => ({ field, about: about[language] })),
      },
      text: JSON.stringify(filled, null, 2),
      notices: left.map(({ field, about }) => ({
        es: `Falta ${field}: ${about.es}`,
        en: `${field} is missing: ${about.en}`,
      })),
    };
  },
});

// --- internal ---

function requireWithholdable(comprobante: Comprobante): WithholdableComprobante {
  if (isWithholdable(comprobante)) return comprobante;
  const { documentType } = comprobante;
  throw new CommandFailure('NOT_WITHHOLDABLE', {
    es: `De un comprobante de tipo ${documentType} no se retiene: solo de 01, 03 y 05.`,
    en: `Nothing is withheld on a document of type ${documentType}: only on 01, 03 and 05.`,
  });
}

/** A withholding of the whole base. @throws UsageError */
function readWithholding(name: string, tax: '1' | '2', text: string | null, base: string | null) {
  if (text === null) return [];
  const [, code, rate] = /^(\w{1,5}):(\d{1,3}(?:[.,]\d{1,2})?)$/.exec(text) ?? [];
  if (code === undefined || rate === undefined)
    throw new UsageError({
      es: `${name} es un código y un porcentaje, como 312:2.`,
      en: `${name} is a code and a percentage, such as 312:2.`,
    });
  if (base === null)
    throw new CommandFailure('BASE_UNKNOWN', {
      es: `El comprobante no tiene una base para ${name}.`,
      en: `The document has no base for ${name}.`,
    });
  return [{ tax, code, taxableBase: base, rate: rate.replace(',', '.') }];
}
