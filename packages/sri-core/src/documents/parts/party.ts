import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { FINAL_CONSUMER_ID, idTypes } from '../../catalogs/id-types.js';
import { checkCedula, checkRuc } from '../../identification.js';
import type { DocumentSummary } from '../document-type.js';
import { codeField, emailField, optional, textField } from '../field.js';
import type { Findings } from '../findings.js';
import { createShape } from '../shape.js';
import { normalizeText, optionalText } from '../text.js';
import type { PreparedParty } from './prepared.js';

/** The code of an identification type. */
export type IdTypeCode = (typeof idTypes)[number]['code'];

/** Identification types of a party with a name: all but the unnamed consumer. */
export const NAMED_ID_TYPES = ['04', '05', '06', '08'] as const satisfies readonly IdTypeCode[];

/** The identification type of a party with a name. */
export const namedIdType = codeField({
  codes: NAMED_ID_TYPES.map((code) => ({ code })),
  description: 'Type of identification: 04 RUC, 05 cédula, 06 passport, 08 foreign.',
  example: '04',
});

/** The address of a party, as a required field. */
export const partyEmail = emailField({
  description: 'Where the document is sent once authorized.',
  example: 'maria@example.com',
});

/**
 * The schema of a party: buyer, supplier, subject of a withholding, carrier.
 *
 * @param options.idTypes the accepted identification types; absent, all of them. @param options.email required or optional.
 * @param options.more further fields of this party.
 */
export function partySchema<
  Email extends TSchema,
  More extends Record<string, TSchema> = Record<never, TSchema>,
  const Code extends IdTypeCode = IdTypeCode,
>(options: {
  readonly description: string;
  readonly address: string;
  readonly email: Email;
  readonly idTypes?: readonly Code[];
  readonly more?: More;
}) {
  const accepted = idTypes.filter(({ code }) => !options.idTypes || options.idTypes.some((each) => each === code));
  return Type.Object(
    {
      idType: codeField<Code>({
        ...(options.idTypes ? {} : { catalog: 'id-types' }),
        codes: accepted as unknown as readonly { readonly code: Code }[],
        description: `Type of identification: ${accepted.map(({ code }) => `${code} ${ID_WORDS[code]}`).join(', ')}.`,
        example: '05' as Code,
      }),
      id: textField({
        max: 20,
        description: options.idTypes ? 'Identification number.' : 'Identification number; 9999999999999 with type 07.',
        example: '1710034065',
      }),
      name: textField({ max: 300, description: 'Name or business name.', example: 'María Muñoz' }),
      email: options.email,
      address: optional(textField({ max: 300, description: options.address, example: 'Av. Amazonas N21-147, Quito' })),
      ...((options.more ?? {}) as More),
    },
    { description: options.description },
  );
}

/** The party as written. The check warns about a doubtful identification. @param field its path in the body. */
export function prepareParty(party: PartyInput, field: string, findings: Findings): PreparedParty {
  return {
    idType: party.idType,
    id: prepareId(party.idType, party.id, `${field}.id`, findings),
    name: normalizeText(party.name),
    email: party.email ?? null,
    address: optionalText(party.address),
  };
}

/** An identification number as written. Warns when it does not have the form of its type, or a wrong check digit. */
export function prepareId(idType: string, text: string, field: string, findings: Findings): string {
  const id = normalizeText(text);
  const form = ID_FORMS[idType];
  if (id === FINAL_CONSUMER_ID && idType !== FINAL_CONSUMER) {
    findings.warn(field, 'ID_FORMAT', { form: `${FINAL_CONSUMER} ${FINAL_CONSUMER_ID}` });
  } else if (form && !form.pattern.test(id)) findings.warn(field, 'ID_FORMAT', { form: form.text });
  else if (form?.verdict) {
    const verdict = form.verdict(id);
    // A valid company RUC may fail every published algorithm, so a mismatch only warns.
    if (verdict === 'wrong') findings.warn(field, 'ID_CHECK_DIGIT');
    if (verdict === 'uncertain') findings.warn(field, 'ID_CHECK_DIGIT', undefined, 'uncertain');
    if (form.ending && !id.endsWith(form.ending)) {
      findings.warn(field, 'ID_FORMAT', { form: `${'N'.repeat(10)}${form.ending}` }, 'uncertain');
    }
  }
  return id;
}

/** Creates a function that validates a well-formed party of a body whose shape is wrong. @param field its name. */
export function createPartyInspector(field: string, schema: TSchema) {
  const shape = createShape(Type.Object({ [field]: schema }));
  return (copy: unknown, findings: Findings): void => {
    if (shape.fits(copy)) prepareParty((copy as Record<string, PartyInput>)[field] as PartyInput, field, findings);
  };
}

/** The summary of a document for one party. @param modifies the document that it modifies. */
export function summaryFor(
  { idType, id, name, email }: PreparedParty,
  total: string,
  modifies: DocumentSummary['modifies'] = null,
): DocumentSummary {
  return { counterparty: { idType, id, name, email }, copies: [], total, modifies };
}

// --- internal ---

const FINAL_CONSUMER = '07';

/** The fields of every party. */
interface PartyInput {
  readonly idType: string;
  readonly id: string;
  readonly name: string;
  readonly email?: string | null;
  readonly address?: Static<ReturnType<typeof optional<string>>>;
}

const ID_WORDS: Readonly<Record<IdTypeCode, string>> = {
  '04': 'RUC',
  '05': 'cédula',
  '06': 'passport',
  '07': 'unnamed consumer',
  '08': 'foreign',
};

interface IdForm {
  readonly pattern: RegExp;
  readonly text: string;
  readonly verdict?: (id: string) => 'right' | 'wrong' | 'uncertain';
  /** The digits at the end of every number of that type. */
  readonly ending?: string;
}

const ID_FORMS: Readonly<Record<string, IdForm>> = {
  '04': { pattern: /^[0-9]{13}$/, text: 'N'.repeat(13), verdict: checkRuc, ending: '001' },
  '05': { pattern: /^[0-9]{10}$/, text: 'N'.repeat(10), verdict: checkCedula },
  [FINAL_CONSUMER]: { pattern: new RegExp(`^${FINAL_CONSUMER_ID}$`), text: FINAL_CONSUMER_ID },
};
