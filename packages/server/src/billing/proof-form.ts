import { Type } from '@sinclair/typebox';
import { invalid, Refusal } from '../platform/errors/refusal.js';
import { type BodyInput, FORM_BODY } from '../platform/http/body-input.js';
import type { Exchange } from '../platform/http/exchange.js';
import { type FieldKind, readFields } from '../platform/http/fields.js';
import { file, fileSchema, line } from '../platform/http/form-fields.js';
import { readProofFile, type SentFile } from './proof-file.js';
import type { ProofReport } from './upload-proof.js';

const MOST_FILES = 5;
const JSON_LIMIT = 3 * 1024 * 1024;

const referenceNumber = line({ max: 50, about: 'Number of the transfer.', example: '123456' });
const filename = line({ max: 255, about: 'Name of the file.', example: 'comprobante.png' });
const inJson = file('The proof: PNG, JPEG, GIF or PDF.');

/** The report of a transfer: a form with one to five files `proof`, or JSON with one `file` and its `filename`. */
export const proofBody: BodyInput<ProofReport> = {
  content: {
    'multipart/form-data': Type.Object({
      referenceNumber: referenceNumber.schema,
      proof: Type.Array(fileSchema('PNG, JPEG, GIF or PDF.'), { minItems: 1, maxItems: MOST_FILES }),
    }),
    'application/json': Type.Object({
      referenceNumber: referenceNumber.jsonSchema,
      file: inJson.jsonSchema,
      filename: filename.jsonSchema,
    }),
  },
  limits: { 'multipart/form-data': FORM_BODY, 'application/json': JSON_LIMIT },
  optional: false,
  read: readProofReport,
};

// --- internal ---

const JSON_FIELDS: Readonly<Record<string, FieldKind>> = { file: 'file', filename: 'text', referenceNumber: 'text' };

/** @throws Refusal VALIDATION_FAILED; INVALID_FILE_UPLOAD for a missing or unusable file. */
async function readProofReport(exchange: Exchange): Promise<ProofReport> {
  const { reader } = await readFields(exchange, JSON_FIELDS, JSON_LIMIT);
  const reference = referenceNumber.read(reader, 'referenceNumber');
  const sent: SentFile[] = [...reader.files('proof')];
  if (sent.length > MOST_FILES) reader.fail('proof', 'maxItems', { max: MOST_FILES });
  const bytes = sent.length === 0 ? inJson.read(reader, 'file') : null;
  if (bytes) sent.push({ bytes, filename: filename.read(reader, 'filename') });
  if (reader.failures.length > 0) throw invalid(reader.failures);
  if (sent.length === 0) throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'FILE_REQUIRED' });
  return { files: sent.map(readProofFile), referenceNumber: reference };
}
