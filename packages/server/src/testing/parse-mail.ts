/** A part of a mail, or the mail itself, as a reader sees it. */
export interface ParsedPart {
  /** Headers by lower-case name, unfolded and decoded; repeated ones are joined with line breaks. */
  readonly headers: ReadonlyMap<string, string>;
  /** `type/subtype` in lower case. */
  readonly type: string;
  /** Its file name. */
  readonly filename: string | null;
  /** Its decoded content; empty if it has parts. */
  readonly content: Buffer;
  readonly parts: readonly ParsedPart[];
}

/** Parses a mail as sent (the parts of RFC 5322, 2045, 2047 and 2231 that the server's mails use). */
export function parseMail(source: string): ParsedPart {
  const end = source.indexOf('\r\n\r\n');
  const headers = readHeaders(source.slice(0, end));
  const body = source.slice(end + 4);
  const contentType = headers.get('content-type') ?? 'text/plain';
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  const parts = boundary === undefined ? [] : splitParts(body, boundary).map(parseMail);
  const disposition = headers.get('content-disposition') ?? '';
  return {
    headers,
    type: contentType.split(';')[0]?.trim().toLowerCase() ?? '',
    filename: /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? null,
    content: parts.length > 0 ? Buffer.alloc(0) : decodeBody(body, headers.get('content-transfer-encoding') ?? '7bit'),
    parts,
  };
}

/** The first part of that type, at whatever depth. */
export function partOf(mail: ParsedPart, type: string): ParsedPart | null {
  if (mail.type === type) return mail;
  for (const part of mail.parts) {
    const found = partOf(part, type);
    if (found) return found;
  }
  return null;
}

// --- internal ---

function readHeaders(block: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of block.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = decodeWords(line.slice(colon + 1).trim());
    headers.set(name, headers.has(name) ? `${headers.get(name)}\n${value}` : value);
  }
  return headers;
}

/** Two encoded words may split a character, so their bytes are joined before decoding. */
function decodeWords(text: string): string {
  const joined = text.replace(/(\?=)\s+(?==\?)/g, '$1');
  return joined.replace(/(?:=\?utf-8\?[bq]\?[^?]*\?=)+/gi, (words) => {
    const pieces = [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)];
    const bytes = pieces.map(([, kind = '', coded = '']) =>
      kind.toLowerCase() === 'b' ? Buffer.from(coded, 'base64') : fromQuotedPrintable(coded.replaceAll('_', ' ')),
    );
    return Buffer.concat(bytes).toString('utf8');
  });
}

function splitParts(body: string, boundary: string): readonly string[] {
  const pieces = `\r\n${body}`.split(`\r\n--${boundary}`);
  return pieces.slice(1, -1).map((piece) => piece.slice(piece.indexOf('\r\n') + 2));
}

function decodeBody(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding === 'quoted-printable') return fromQuotedPrintable(body.replace(/=\r\n/g, ''));
  return Buffer.from(body, 'latin1');
}

function fromQuotedPrintable(text: string): Buffer {
  const plain = text.replace(/=([0-9A-F]{2})/gi, (_coded, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(plain, 'latin1');
}
