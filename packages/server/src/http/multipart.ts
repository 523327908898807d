import { invalid, type RuleFailure, ruleFailure } from '../errors.js';
import { readBytes, requireContentType } from './parse-body.js';

/** A file as it was sent. Its name and declared type are the sender's words and are not kept. */
export interface UploadedFile {
  readonly bytes: Uint8Array;
}

/** The parts of a form by name. */
export interface Form {
  /** The texts of that name, in the order they were sent. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly files: ReadonlyMap<string, readonly UploadedFile[]>;
}

/**
 * Reads a `multipart/form-data` body.
 *
 * @throws Refusal PAYLOAD_TOO_LARGE above `limit` bytes; VALIDATION_FAILED when it is malformed or has too many parts.
 */
export async function readForm(request: Request, limit: number): Promise<Form> {
  requireContentType(request, 'multipart/form-data');
  const contentType = request.headers.get('content-type') ?? '';
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const delimiter = boundary?.[1] ?? boundary?.[2];
  if (!delimiter) throw malformed();
  const bytes = await readBytes(request, limit);
  requireFewParts(bytes, delimiter);
  const data = await parse(bytes, contentType);
  const texts = new Map<string, string[]>();
  const files = new Map<string, UploadedFile[]>();
  for (const [name, value] of data) {
    if (typeof value === 'string') append(texts, name, value);
    // A browser sends a file field that was left alone as an empty file without a name.
    else if (value.size > 0 || value.name !== '')
      append(files, name, { bytes: new Uint8Array(await value.arrayBuffer()) });
  }
  return { texts, files };
}

/** Takes parts out of a form and gathers what is wrong with them. */
export class FormReader {
  readonly failures: RuleFailure[] = [];
  readonly #form: Form;

  constructor(form: Form) {
    this.#form = form;
  }

  /** Notes a broken rule. */
  fail(field: string, rule: string, params?: Readonly<Record<string, string | number>>): void {
    this.failures.push(ruleFailure(field, rule, params));
  }

  /** The one text of that name; null when it is absent. */
  text(name: string): string | null {
    if (this.#form.files.has(name)) {
      this.fail(name, 'textPart');
      return null;
    }
    const values = this.#form.texts.get(name) ?? [];
    if (values.length > 1) this.fail(name, 'single');
    return values[0] ?? null;
  }

  /** All texts of that name. */
  texts(name: string): readonly string[] {
    if (this.#form.files.has(name)) this.fail(name, 'textPart');
    return this.#form.texts.get(name) ?? [];
  }

  /** The one file of that name; null when it is absent. */
  file(name: string): UploadedFile | null {
    const sent = this.#form.files.get(name) ?? [];
    if (this.#form.texts.get(name)?.some((text) => text !== '')) this.fail(name, 'file');
    if (sent.length > 1) this.fail(name, 'single');
    return sent[0] ?? null;
  }
}

// --- internal ---

const MAX_PARTS = 30;

function malformed() {
  return invalid([ruleFailure('body', 'multipart')]);
}

async function parse(bytes: Uint8Array, contentType: string): Promise<FormData> {
  try {
    return await new Response(Uint8Array.from(bytes), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw malformed();
  }
}

/** Counted before parsing, so that a form of many thousand parts costs one scan. */
function requireFewParts(bytes: Uint8Array, delimiter: string): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mark = `--${delimiter}`;
  let found = 0;
  for (let at = buffer.indexOf(mark); at >= 0; at = buffer.indexOf(mark, at + mark.length)) {
    found += 1;
    // The last mark closes the form and begins no part.
    if (found > MAX_PARTS + 1) throw invalid([ruleFailure('body', 'maxParts', { max: MAX_PARTS })]);
  }
  if (found === 0) throw malformed();
}

function append<T>(parts: Map<string, T[]>, name: string, value: T): void {
  const list = parts.get(name);
  if (list) list.push(value);
  else parts.set(name, [value]);
}
