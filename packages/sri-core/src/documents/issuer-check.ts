import { Type } from '@sinclair/typebox';
import type { Language } from '../catalogs/catalog.js';
import type { PrepareContext } from './context.js';
import { booleanField, codeField, optional, patternField, textField } from './field.js';
import { createFindings, type Findings } from './findings.js';
import type { Issuer } from './issuer.js';
import { createShape } from './shape.js';
import { normalizeText, optionalText } from './text.js';

const code3 = { pattern: '^[0-9]{3}$', form: 'NNN' } as const;

/** The issuer as a checked shape; the same as `Issuer`. */
export const issuerSchema = Type.Object(
  {
    ruc: patternField({ pattern: '^[0-9]{13}$', form: 'N'.repeat(13), description: 'RUC.', example: '1790012345001' }),
    businessName: textField({ max: 300, description: 'Business name [razonSocial].', example: 'Café Andino S.A.' }),
    tradeName: optional(textField({ max: 300, description: 'Trade name [nombreComercial].', example: 'Café Andino' })),
    mainAddress: optional(
      textField({ max: 300, description: 'Head office [dirMatriz].', example: 'Av. 10 de Agosto N10-20, Quito' }),
    ),
    branchCode: patternField({ ...code3, description: 'Establishment [estab].', example: '001' }),
    issuePointCode: patternField({ ...code3, description: 'Issue point [ptoEmi].', example: '001' }),
    branchAddress: optional(
      textField({
        max: 300,
        description: 'Branch [dirEstablecimiento]; the main address by default.',
        example: 'Calle Loja 5-20, Cuenca',
      }),
    ),
    requiredAccounting: booleanField({ description: 'Must keep accounts [obligadoContabilidad].', example: true }),
    specialTaxpayer: optional(
      patternField({
        pattern: '^[A-Za-z0-9]{3,13}$',
        form: 'XXX … XXXXXXXXXXXXX',
        description: 'Special taxpayer: number of the resolution.',
        example: '5368',
      }),
    ),
    withholdingAgent: optional(
      patternField({
        pattern: '^0*[1-9][0-9]{0,7}$',
        form: 'N … NNNNNNNN',
        description: 'Withholding agent: number of the resolution; leading zeros are dropped.',
        example: '1',
      }),
    ),
    rimpe: optional(
      codeField({
        codes: [{ code: 'GENERAL' }, { code: 'POPULAR' }],
        description: 'RIMPE regime; POPULAR is «negocio popular».',
        example: 'GENERAL',
      }),
    ),
  },
  { description: 'Who issues.' },
);

/**
 * Validates an issuer and returns it as its documents show it. Line breaks become spaces, blank texts become null, and the
 * withholding agent's number loses its leading zeros.
 *
 * @param issuer any value.
 * @throws ValidationError naming `issuer.businessName` and the like.
 */
export function validateIssuer(issuer: unknown, language: Language = 'es'): Issuer {
  const findings = createFindings({ language, strict: false });
  const checked = checkIssuer(issuer, findings);
  if (!checked) return findings.refuse();
  findings.throwIfFailed();
  return checked;
}

/** The issuer as documents show it; null, with findings, when it is invalid. */
export function checkIssuer(issuer: unknown, findings: Findings): Issuer | null {
  const copy = SHAPE.copy(issuer);
  if (!SHAPE.fits(copy)) {
    for (const { field, fault } of SHAPE.faults(copy)) {
      findings.fail(field === 'body' ? 'issuer' : `issuer.${field}`, fault.rule, fault.params);
    }
    return null;
  }
  return {
    ...copy,
    businessName: normalizeText(copy.businessName),
    tradeName: optionalText(copy.tradeName),
    mainAddress: optionalText(copy.mainAddress),
    branchAddress: optionalText(copy.branchAddress),
    specialTaxpayer: copy.specialTaxpayer ?? null,
    withholdingAgent: copy.withholdingAgent?.replace(/^0+/, '') ?? null,
    rimpe: copy.rimpe ?? null,
  };
}

/** Compares the issuer's RUC with the RUC of the signing certificate, when the caller gave it. */
export function checkCertificateRuc({ issuer, certificateRuc }: PrepareContext, findings: Findings): void {
  if (certificateRuc === undefined || certificateRuc === issuer.ruc) return;
  if (certificateRuc === null) findings.warn('signer', 'CERTIFICATE_WITHOUT_RUC', { own: issuer.ruc }, 'uncertain');
  else findings.warn('signer', 'CERTIFICATE_OF_ANOTHER_RUC', { named: certificateRuc, own: issuer.ruc });
}

// --- internal ---

const SHAPE = createShape(issuerSchema);
