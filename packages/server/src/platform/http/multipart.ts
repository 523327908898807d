import { isUtf8 } from 'node:buffer';
import { invalid, ruleFailure } from '../errors/refusal.js';
import type { BodyShare } from './body-budget.js';
import { splitParts } from './multipart-parts.js';
import { requireContentType } from './parse-body.js';
import { readBytes } from './read-body.js';

/** A file as sent. */
export interface UploadedFile {
  readonly bytes: Uint8Array;
  /** The sender's name for it, unchecked; absent if the body cannot carry one. */
  readonly filename?: string;
  /** The media type the sender declares, unchecked. */
  readonly type?: string;
}

/** The parts of a form by name. */
export interface Form {
  /** The texts of that name, in the order sent. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly files: ReadonlyMap<string, readonly UploadedFile[]>;
  /** Names of texts that are not UTF-8. */
  readonly unreadable: ReadonlySet<string>;
}

/**
 * Reads a `multipart/form-data` body.
 * @throws Refusal as `readBytes`; VALIDATION_FAILED if it is malformed or has too many parts.
 */
export async function readForm(request: Request, limit: number, share: BodyShare): Promise<Form> {
  requireContentType(request, 'multipart/form-data');
  const contentType = request.headers.get('content-type') ?? '';
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(contentType);
  const delimiter = boundary?.[1] ?? boundary?.[2];
  if (!delimiter) throw malformed();
  const bytes = await readBytes(request, limit, share);
  const form = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts = splitParts(form, delimiter, MAX_PARTS);
  if (!parts) throw malformed();
  if (parts.length > MAX_PARTS) throw invalid([ruleFailure('body', 'maxParts', { max: MAX_PARTS })]);
  const texts = new Map<string, string[]>();
  const files = new Map<string, UploadedFile[]>();
  const unreadable = new Set<string>();
  for (const { name, filename, type, content } of parts) {
    if (filename === null) {
      if (!isUtf8(content)) unreadable.add(name);
      append(texts, name, new TextDecoder().decode(content));
      // A browser sends an unused file field as an empty file without a name.
    } else if (content.length > 0 || filename !== '') {
      append(files, name, { bytes: content, filename, ...(type ? { type } : {}) });
    }
  }
  return { texts, files, unreadable };
}

// --- internal ---

const MAX_PARTS = 30;

function malformed() {
  return invalid([ruleFailure('body', 'multipart')]);
}

function append<T>(parts: Map<string, T[]>, name: string, value: T): void {
  const list = parts.get(name);
  if (list) list.push(value);
  else parts.set(name, [value]);
}
