import { Type } from '@sinclair/typebox';
import { invalid, Refusal } from '../platform/errors/refusal.js';
import { type BodyInput, FORM_BODY } from '../platform/http/body-input.js';
import type { Exchange } from '../platform/http/exchange.js';
import { jsonSchemaOf, optional, required } from '../platform/http/field.js';
import { file, fileSchema, line } from '../platform/http/fields.js';
import { formOrJsonInput } from '../platform/http/inputs.js';
import type { UploadedFile } from '../platform/http/multipart.js';
import { readProofFile, type SentFile } from './proof-file.js';
import type { ProofReport } from './upload-proof.js';

const MOST_FILES = 5;
const JSON_LIMIT = 3 * 1024 * 1024;

const FIELDS = {
  file: file('The proof: PNG, JPEG, GIF or PDF.'),
  filename: required(line({ max: 255, about: 'Name of the file.', example: 'comprobante.png' })),
  referenceNumber: required(line({ max: 50, about: 'Number of the transfer.', example: '123456' })),
};
const proof = optional(
  Type.Array(fileSchema('PNG, JPEG, GIF or PDF.'), { minItems: 1, maxItems: MOST_FILES }),
  (sent, fail) => {
    const files = sent as readonly UploadedFile[];
    if (files.length > MOST_FILES) fail('maxItems', { max: MOST_FILES });
    return files;
  },
  { kind: 'file' },
);

/** The report of a transfer: a form with one to five files `proof`, or JSON with one `file` and its `filename`. */
export const proofBody: BodyInput<ProofReport> = {
  content: {
    'multipart/form-data': Type.Object({ referenceNumber: FIELDS.referenceNumber.schema, proof: proof.schema }),
    'application/json': Type.Object({
      referenceNumber: FIELDS.referenceNumber.schema,
      file: jsonSchemaOf(FIELDS.file),
      filename: FIELDS.filename.schema,
    }),
  },
  limits: { 'multipart/form-data': FORM_BODY, 'application/json': JSON_LIMIT },
  optional: false,
  read: readProofReport,
};

// --- internal ---

/** @throws Refusal VALIDATION_FAILED; INVALID_FILE_UPLOAD for a missing or unusable file. */
async function readProofReport(exchange: Exchange): Promise<ProofReport> {
  const input = await formOrJsonInput(exchange, FIELDS, JSON_LIMIT);
  const referenceNumber = input.read('referenceNumber', FIELDS.referenceNumber);
  const sent: SentFile[] = [...(input.read('proof', proof) ?? [])];
  const bytes = sent.length === 0 ? input.read('file', FIELDS.file) : null;
  if (bytes) sent.push({ bytes, filename: input.read('filename', FIELDS.filename) });
  if (input.failures.length > 0) throw invalid(input.failures);
  if (sent.length === 0) throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'FILE_REQUIRED' });
  return { files: sent.map(readProofFile), referenceNumber };
}
