import { Type } from '@sinclair/typebox';
import { invalid, ruleFailure } from '../platform/errors/refusal.js';
import { type BodyInput, jsonBodyOf } from '../platform/http/body-input.js';
import { type Fields, required, schemaOfFields } from '../platform/http/field.js';
import { boolean, choice, documentLine, matching } from '../platform/http/fields.js';
import { jsonInput } from '../platform/http/inputs.js';
import type { JsonObject } from '../platform/http/parse-body.js';
import { text } from '../platform/schema-words.js';
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

/** The number of the resolution of a special taxpayer. */
export const specialTaxpayerField = matching('^[A-Za-z0-9]{3,13}$', 'A1B2C (3–13)', {
  about: 'Number of the resolution of a special taxpayer.',
  example: '5368',
});

/** The number of the resolution of a withholding agent. */
export const withholdingAgentField = matching('^0{0,12}[1-9][0-9]{0,7}$', '12345678 (1–8)', {
  about: 'Number of the resolution of a withholding agent.',
  example: '1',
});

/** The RIMPE regime. */
export const rimpeField = choice(['GENERAL', 'POPULAR'], 'The RIMPE regime it is in.');

/**
 * The changeable fields. Null or a blank text empties a field; `businessName` and `requiredAccounting` cannot be empty.
 */
const CHANGEABLE = {
  businessName: required(documentLine({ max: 300, about: 'Registered name.', example: 'Comercial Ejemplo S.A.' })),
  tradeName: documentLine({ max: 300, about: 'Trade name.', example: 'Ejemplo' }),
  mainAddress: documentLine({ max: 300, about: 'Address of the head office.', example: ADDRESS }),
  branchAddress: documentLine({ max: 300, about: 'Address of the branch.', example: ADDRESS }),
  requiredAccounting: boolean('Whether it has to keep accounts.'),
  specialTaxpayer: specialTaxpayerField,
  withholdingAgent: withholdingAgentField,
  rimpe: rimpeField,
} satisfies Readonly<Record<keyof Omit<IssuerChanges, 'canIssue'>, Fields[string]>>;

/** The body of `PATCH /v1/issuers/:id`. */
export const issuerPatchBody: BodyInput<IssuerPatch> = jsonBodyOf(
  Type.Composite([
    Type.Partial(schemaOfFields(CHANGEABLE)),
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
  const input = jsonInput(body);
  const sent = Object.entries(CHANGEABLE).filter(([name]) => Object.hasOwn(body, name));
  const changes = Object.fromEntries(sent.map(([name, field]) => [name, input.read<unknown>(name, field)]));
  if (sent.length === 0) input.fail('body', 'anyOf', { allowed: Object.keys(CHANGEABLE).join(', ') });
  if (input.failures.length > 0) throw invalid(input.failures);
  return {
    // Each field returns the value of its field; the table above pairs them.
    changes: changes as IssuerChanges,
    check(issuer) {
      const changed = UNCHANGEABLE.filter((name) => Object.hasOwn(body, name) && body[name] !== issuer[name]);
      if (changed.length > 0) throw invalid(changed.map((name) => ruleFailure(name, 'unchangeable')));
    },
  };
}
