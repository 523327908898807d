import { createHash } from 'node:crypto';

/** The tag of a content, as in the header `ETag`. It changes with the content. */
export function entityTag(content: Uint8Array): string {
  return `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`;
}

/** Whether a header `If-None-Match` names the tag. A proxy that compresses answers marks their tags as weak. */
export function namesTag(header: string | null, tag: string): boolean {
  return (header ?? '').split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag);
}
