/** A part of a form as received. */
export interface FormPart {
  readonly name: string;
  /** The sender's file name; null if the part is not a file. */
  readonly filename: string | null;
  /** The media type the sender declares, in lower case and without parameters; null without one. */
  readonly type: string | null;
  /** A view of the form's own bytes. */
  readonly content: Uint8Array;
}

/**
 * Splits a `multipart/form-data` body. Every part costs one search, whatever its content, and nothing is copied. The
 * platform's own reader is not used: it mistakes a boundary's letters inside a file for the boundary, so that forms
 * with a short boundary could not be read.
 * @param maxParts it stops after this many parts.
 * @returns the parts, at most one more than `maxParts`; null if the form is malformed.
 * @see RFC 7578; RFC 2046, §5.1.
 */
export function splitParts(form: Buffer, boundary: string, maxParts: number): readonly FormPart[] | null {
  const mark = `--${boundary}`;
  const delimiter = Buffer.from(`\r\n${mark}`);
  // Bytes before the first boundary are ignored.
  const preamble = form.indexOf(delimiter);
  let at = form.indexOf(mark) === 0 ? mark.length : preamble < 0 ? -1 : preamble + delimiter.length;
  const parts: FormPart[] = [];
  while (at >= 0 && parts.length <= maxParts) {
    if (form.subarray(at, at + 2).equals(DASHES)) return parts;
    const start = endOfLine(form, at);
    const content = start < 0 ? -1 : form.indexOf(BLANK_LINE, start - LINE_END.length);
    const end = content < 0 ? -1 : nextDelimiter(form, delimiter, content + LINE_END.length);
    if (end < 0) return null;
    const names = readHead(form.subarray(start, Math.max(start, content)));
    if (!names) return null;
    const from = Math.min(content + BLANK_LINE.length, end);
    parts.push({ ...names, content: form.subarray(from, end) });
    at = end + delimiter.length;
  }
  return parts.length > maxParts ? parts : null;
}

// --- internal ---

const DASHES = Buffer.from('--');
const LINE_END = Buffer.from('\r\n');
const BLANK_LINE = Buffer.from('\r\n\r\n');
/** Far more than the longest name in a file system. */
const MAX_HEAD = 128 * 1024;

/** The end of a boundary's line: only blanks may follow the boundary. */
function endOfLine(form: Buffer, at: number): number {
  let end = at;
  while (form[end] === 0x20 || form[end] === 0x09) end += 1;
  return form[end] === 0x0d && form[end + 1] === 0x0a ? end + 2 : -1;
}

/** The next boundary; a line that only starts like one belongs to the content. */
function nextDelimiter(form: Buffer, delimiter: Buffer, from: number): number {
  for (let at = form.indexOf(delimiter, from); at >= 0; at = form.indexOf(delimiter, at + 1)) {
    const after = at + delimiter.length;
    if (endOfLine(form, after) >= 0 || form.subarray(after, after + 2).equals(DASHES)) return at;
  }
  return -1;
}

/** The headers of a part; null if they are malformed, or have no name. */
function readHead(bytes: Buffer): Omit<FormPart, 'content'> | null {
  if (bytes.length > MAX_HEAD) return null;
  let names: Pick<FormPart, 'name' | 'filename'> | null = null;
  let type: string | null = null;
  for (const line of bytes.toString('utf8').split('\r\n')) {
    const [, field, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line) ?? [];
    if (field === undefined) return null;
    if (field.toLowerCase() === 'content-type') type = value.split(';', 1)[0]?.trim().toLowerCase() || null;
    if (field.toLowerCase() !== 'content-disposition') continue;
    if (names) return null;
    names = readDisposition(value);
    if (!names) return null;
  }
  return names && { ...names, type };
}

/** Parses `form-data; name="a"; filename="b"`. A quote inside is sent as `%22`, or by older programs as `\"`. */
function readDisposition(text: string): Pick<FormPart, 'name' | 'filename'> | null {
  const kind = /^\s*form-data\s*(?=;)/i.exec(text);
  if (!kind) return null;
  const parameters = new Map<string, string>();
  const parameter = /\s*;\s*([\w*-]+)=(?:"((?:\\"|[^"])*)"|([^\s;"]*))\s*/y;
  parameter.lastIndex = kind[0].length;
  while (parameter.lastIndex < text.length) {
    const [, name, quoted, plain = ''] = parameter.exec(text) ?? [];
    if (name === undefined || parameters.has(name.toLowerCase())) return null;
    parameters.set(name.toLowerCase(), quoted ?? plain);
  }
  const name = parameters.get('name');
  if (name === undefined) return null;
  return { name, filename: parameters.get('filename') ?? parameters.get('filename*') ?? null };
}
