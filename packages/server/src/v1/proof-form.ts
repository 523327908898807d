import type { ProofReport } from '../billing/payment-proofs.js';
import { readProofFile, type SentFile } from '../billing/proof-file.js';
import { invalid, Refusal } from '../errors.js';
import type { Exchange } from '../http/exchange.js';
import { type FieldKind, readFields } from '../http/fields.js';
import { readWords } from './form-fields.js';

/**
 * Reads the report of a transfer: a form with one to five files `proof`, or JSON with one `file` in base64 and its
 * `filename`; and the `referenceNumber` in both.
 *
 * @throws Refusal VALIDATION_FAILED; INVALID_FILE_UPLOAD for a file that is missing or cannot be taken.
 */
export async function readProofReport(exchange: Exchange): Promise<ProofReport> {
  const { reader } = await readFields(exchange, JSON_FIELDS, JSON_LIMIT);
  const referenceNumber = readWords(reader, 'referenceNumber', { max: 50, required: true }) ?? '';
  const sent: SentFile[] = [...reader.files('proof')];
  if (sent.length > MOST_FILES) reader.fail('proof', 'maxItems', { max: MOST_FILES });
  const inJson = sent.length === 0 ? reader.file('file') : null;
  if (inJson) {
    const filename = readWords(reader, 'filename', { max: 255, required: true }) ?? '';
    sent.push({ bytes: inJson.bytes, filename });
  }
  if (reader.failures.length > 0) throw invalid(reader.failures);
  if (sent.length === 0) throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'FILE_REQUIRED' });
  return { files: sent.map(readProofFile), referenceNumber };
}

// --- internal ---

const JSON_FIELDS: Readonly<Record<string, FieldKind>> = { file: 'file', filename: 'text', referenceNumber: 'text' };
const JSON_LIMIT = 3 * 1024 * 1024;
const MOST_FILES = 5;
