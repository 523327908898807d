import { invalid, Refusal } from '../errors.js';
import type { Exchange } from '../http/exchange.js';
import { type FieldKind, readFields } from '../http/fields.js';
import type { FormReader } from '../http/multipart.js';
import { toUuid } from '../http/uuid.js';
import type { IssuerRequest } from '../tenancy/added-issuer.js';
import type { Renewal } from '../tenancy/certificate-renewal.js';
import {
  readDigits,
  readDocumentTypes,
  readFlag,
  readInitialSequentials,
  readPassword,
  readWords,
} from './form-fields.js';

/** Reads the body of `POST /v1/issuers`. @throws Refusal VALIDATION_FAILED with every field that is wrong. */
export async function readNewIssuer(exchange: Exchange): Promise<IssuerRequest> {
  const { reader } = await readFields(exchange, NEW_ISSUER);
  const bytes = reader.file('cert')?.bytes;
  const password = readPassword(reader);
  const request: IssuerRequest = {
    branchCode: readDigits(reader, 'branchCode', 3),
    issuePointCode: readDigits(reader, 'issuePointCode', 3),
    tradeName: readWords(reader, 'tradeName', { max: 300 }),
    branchAddress: readWords(reader, 'branchAddress', { max: 300 }),
    documentTypes: readDocumentTypes(reader),
    initialSequentials: readInitialSequentials(reader),
    sourceIssuerId: readSourceId(reader),
    p12: bytes ? { bytes, password } : null,
  };
  requireClean(reader);
  return request;
}

/**
 * Reads the body of a certificate renewal.
 *
 * @throws Refusal VALIDATION_FAILED; INVALID_FILE_UPLOAD without a file.
 */
export async function readRenewal(exchange: Exchange): Promise<Renewal> {
  const { reader } = await readFields(exchange, RENEWAL);
  const bytes = reader.file('cert')?.bytes;
  const password = readPassword(reader);
  const applyToAll = reader.text('applyToAll') === null ? false : readFlag(reader, 'applyToAll');
  requireClean(reader);
  if (!bytes) throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'FILE_REQUIRED' });
  return { p12: { bytes, password }, applyToAll };
}

/**
 * Reads the body of a change of logo.
 *
 * @returns the image as it came; null to have none.
 * @throws Refusal VALIDATION_FAILED; INVALID_FILE_UPLOAD without an image.
 */
export async function readLogoChange(exchange: Exchange): Promise<Uint8Array | null> {
  const { reader, nulls } = await readFields(exchange, { logo: 'file' });
  if (nulls.has('logo')) return null;
  const bytes = reader.file('logo')?.bytes;
  requireClean(reader);
  if (!bytes) throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'FILE_REQUIRED' });
  return bytes;
}

// --- internal ---

const NEW_ISSUER: Readonly<Record<string, FieldKind>> = {
  branchCode: 'text',
  issuePointCode: 'text',
  tradeName: 'text',
  branchAddress: 'text',
  documentTypes: 'list',
  initialSequentials: 'list',
  sourceIssuerId: 'text',
  cert: 'file',
  certPassword: 'text',
};

const RENEWAL: Readonly<Record<string, FieldKind>> = { cert: 'file', certPassword: 'text', applyToAll: 'flag' };

function requireClean(reader: FormReader): void {
  if (reader.failures.length > 0) throw invalid(reader.failures);
}

function readSourceId(reader: FormReader): string | null {
  const text = reader.text('sourceIssuerId')?.trim();
  if (!text) return null;
  const id = toUuid(text);
  if (!id) reader.fail('sourceIssuerId', 'uuid');
  return id;
}
