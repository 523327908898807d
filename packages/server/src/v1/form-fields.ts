import { isWritableText, normalizeText, textLength } from 'sri-core';
import type { FormReader } from '../http/multipart.js';

/** A text as documents carry it: 1 to `max` code points, without control characters. Blank counts as absent. */
export function readWords(
  reader: FormReader,
  name: string,
  { max, required = false }: { readonly max: number; readonly required?: boolean },
): string | null {
  const sent = reader.text(name);
  const text = sent === null ? '' : normalizeText(sent);
  if (text === '') {
    if (required) reader.fail(name, 'required');
    return null;
  }
  if (!isWritableText(text)) reader.fail(name, 'text');
  else if (textLength(text) > max) reader.fail(name, 'maxLength', { max });
  return text;
}

/** A text of exactly so many digits. */
export function readDigits(reader: FormReader, name: string, count: number): string {
  const text = reader.text(name)?.trim();
  if (!text) reader.fail(name, 'required');
  else if (text.length !== count || !/^[0-9]+$/.test(text)) {
    reader.fail(name, 'pattern', { form: '0123456789012'.slice(0, count) });
  }
  return text ?? '';
}

/** `true` or `false`, also `1` or `0`. */
export function readFlag(reader: FormReader, name: string): boolean {
  const text = reader.text(name)?.trim();
  if (!text) reader.fail(name, 'required');
  else if (!/^(true|false|1|0)$/.test(text)) reader.fail(name, 'choice', { allowed: 'true, false' });
  return text === 'true' || text === '1';
}
