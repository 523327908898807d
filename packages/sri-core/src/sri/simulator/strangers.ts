import { type AccessKey, type AccessKeyParts, parseAccessKey } from '../../access-key.js';
import { toIsoDate } from '../../calendar.js';
import { prepareDocument } from '../../documents/prepare.js';
import { documentTypeOf, isDocumentType, uncheckedBody } from '../../documents/registry.js';
import { writeComprobante } from '../../documents/write-comprobante.js';
import { ValidationError } from '../../errors.js';
import type { Random } from '../../random.js';
import { isSequential } from '../../sequential.js';
import type { KeySigner } from '../../signing/key-signer.js';
import { signCanonicalXml } from '../../signing/xades.js';
import { findMagicKey, MAGIC_ISSUER_RUC, type MagicKeyState } from './magic-keys.js';

/** A document that another program issued, as the simulated SRI holds it. */
export interface StrangersDocument {
  readonly state: MagicKeyState;
  /** Signed by a test certificate of the supplier. */
  readonly xml: string;
  /** When it was authorized: at noon of its day. */
  readonly authorizedAt: Date;
}

/** The documents of `MAGIC_KEYS`. */
export interface Strangers {
  /** Null for any other key. */
  find(accessKey: string): Promise<StrangersDocument | null>;
}

/** The first request makes the certificate. Each request writes its document from the example of its type. */
export function createStrangers(): Strangers {
  let signer: Promise<KeySigner> | null = null;

  return {
    async find(accessKey) {
      const state = findMagicKey(accessKey);
      if (state === null) return null;
      const key = parseAccessKey(accessKey);
      const written = write(key);
      if (written === null) return null;
      signer ??= createSigner();
      const authorizedAt = new Date(`${toIsoDate(key.issueDate)}T12:00:00-05:00`);
      return {
        state,
        xml: await signCanonicalXml(written, await signer, { signingTime: authorizedAt, random: SAME_IDS }),
        authorizedAt,
      };
    },
  };
}

// --- internal ---

/** Today's rate of IVA holds from this day on, and so do the examples. */
const FIRST_DAY = new Date('2024-04-01T00:00:00-05:00');
const LAST_DAY = new Date('2074-04-01T00:00:00-05:00');

async function createSigner(): Promise<KeySigner> {
  const { createTestSigner } = await import('../../testing/test-p12.js');
  return createTestSigner({ ruc: MAGIC_ISSUER_RUC, validFrom: FIRST_DAY, validTo: LAST_DAY });
}

/** Null for a type, a day or a number that has no such document, and for a key of the former contingency. */
function write(key: AccessKeyParts & { readonly accessKey: AccessKey }) {
  if (!isDocumentType(key.documentType)) return null;
  const [example] = documentTypeOf(key.documentType).examples;
  const { environment, sequential, numericCode, branchCode, issuePointCode, issueDate } = key;
  const today = toIsoDate(issueDate) ?? '';
  if (today < '2024-04-01' || !isSequential(sequential)) return null;
  const issuer = { ...SUPPLIER, branchCode, issuePointCode };
  try {
    const prepared = prepareDocument(uncheckedBody(onDay(example, issueDate)), { issuer, today });
    const { xml, accessKey } = writeComprobante(prepared, issuer, { environment, sequential, numericCode });
    return accessKey === key.accessKey ? xml : null;
  } catch (error) {
    if (error instanceof ValidationError) return null;
    throw error;
  }
}

/** The ids of the signature, so that a document has the same bytes each time. */
const SAME_IDS: Random = { bytes: (count) => new Uint8Array(count).fill(7) };

const SUPPLIER = {
  ruc: MAGIC_ISSUER_RUC,
  businessName: 'PROVEEDOR SIMULADO S.A.',
  tradeName: 'Proveedor Simulado',
  mainAddress: 'Av. de los Ensayos 1-23, Quito',
  branchAddress: null,
  requiredAccounting: true,
  specialTaxpayer: null,
  withholdingAgent: null,
  rimpe: null,
} as const;

/** A body with every date and period moved to the day of its key. */
function onDay(body: unknown, issueDate: string): unknown {
  if (typeof body === 'string') {
    return body.replace(/^\d{2}\/\d{2}\/\d{4}$/, issueDate).replace(/^\d{2}\/\d{4}$/, issueDate.slice(3));
  }
  if (Array.isArray(body)) return body.map((entry) => onDay(entry, issueDate));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, onDay(value, issueDate)]));
}
