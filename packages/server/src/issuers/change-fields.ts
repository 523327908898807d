import { Type } from '@sinclair/typebox';
import { invalid, ruleFailure } from '../platform/errors/refusal.js';
import { type BodyInput, jsonBodyOf } from '../platform/http/body-input.js';
import { schemaOfFields } from '../platform/http/field.js';
import {
  BodyReader,
  type JsonField,
  jsonChoice,
  jsonDocumentLine,
  jsonField,
  jsonFlag,
  required,
} from '../platform/http/json-fields.js';
import type { JsonObject } from '../platform/http/parse-body.js';
import { text, textOfForm } from '../platform/schema-words.js';
import type { IssuerChanges } from './change-rows.js';
import type { IssuerRecord } from './issuer-record.js';

/** The changes of a `PATCH /v1/issuers/:id`. */
export interface IssuerPatch {
  readonly changes: IssuerChanges;
  /** @throws Refusal VALIDATION_FAILED when a field that cannot change was sent with another value. */
  check(issuer: IssuerRecord): void;
}

const UNCHANGEABLE = ['ruc', 'branchCode', 'issuePointCode'] as const;

const ADDRESS = 'Av. Amazonas N21-147, Quito';

/**
 * The changeable fields. Null or a blank text empties a field; `businessName` and `requiredAccounting` cannot be empty.
 */
const CHANGEABLE = {
  businessName: {
    ...required(jsonDocumentLine(300, 'Registered name.', 'Comercial Ejemplo S.A.'), ''),
    required: false,
  },
  tradeName: jsonDocumentLine(300, 'Trade name.', 'Ejemplo'),
  mainAddress: jsonDocumentLine(300, 'Address of the head office.', ADDRESS),
  branchAddress: jsonDocumentLine(300, 'Address of the branch.', ADDRESS),
  requiredAccounting: jsonFlag('Whether it has to keep accounts.'),
  specialTaxpayer: matching('^[A-Za-z0-9]{3,13}$', 'A1B2C (3–13)', {
    about: 'Number of the resolution of a special taxpayer.',
    example: '5368',
  }),
  withholdingAgent: matching('^0{0,12}[1-9][0-9]{0,7}$', '12345678 (1–8)', {
    about: 'Number of the resolution of a withholding agent.',
    example: '1',
  }),
  rimpe: jsonChoice(['GENERAL', 'POPULAR'], 'The RIMPE regime it is in.'),
} satisfies Readonly<Record<keyof Omit<IssuerChanges, 'canIssue'>, JsonField<unknown>>>;

/** The body of `PATCH /v1/issuers/:id`. */
export const issuerPatchBody: BodyInput<IssuerPatch> = jsonBodyOf(
  Type.Composite([
    schemaOfFields(CHANGEABLE),
    Type.Partial(
      Type.Object({
        ruc: text('Cannot change: only the value it has is accepted.', '1790012345001'),
        branchCode: text('As `ruc`.', '001'),
        issuePointCode: text('As `ruc`.', '001'),
      }),
    ),
  ]),
  async (exchange, limit) => readIssuerPatch(await exchange.json(limit)),
);

// --- internal ---

/** @throws Refusal VALIDATION_FAILED with every wrong field, or when there is nothing to change. */
function readIssuerPatch(body: JsonObject): IssuerPatch {
  const reader = new BodyReader(body);
  const sent = Object.entries(CHANGEABLE).filter(([name]) => Object.hasOwn(body, name));
  const changes = Object.fromEntries(sent.map(([name, field]) => [name, field.read(reader, name)]));
  if (sent.length === 0) reader.fail('body', 'anyOf', { allowed: Object.keys(CHANGEABLE).join(', ') });
  if (reader.failures.length > 0) throw invalid(reader.failures);
  return {
    // Each reader returns the value of its field; the table above pairs them.
    changes: changes as IssuerChanges,
    check(issuer) {
      const changed = UNCHANGEABLE.filter((name) => Object.hasOwn(body, name) && body[name] !== issuer[name]);
      if (changed.length > 0) throw invalid(changed.map((name) => ruleFailure(name, 'unchangeable')));
    },
  };
}

function matching(
  pattern: string,
  shown: string,
  { about, example }: { readonly about: string; readonly example: string },
): JsonField<string | null> {
  const form = new RegExp(pattern);
  return jsonField(textOfForm(pattern, about, example), (value, fail) => {
    if (typeof value !== 'string') {
      fail('type', { expected: 'string' });
      return null;
    }
    const trimmed = value.trim();
    if (!form.test(trimmed)) fail('pattern', { form: shown });
    return trimmed;
  });
}
