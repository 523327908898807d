import { named } from '../frame/language.js';

/** The status of a document or a delivery. */
export function Status({ of }: { readonly of: string }) {
  return <span class={`badge ${of.toLowerCase()}`}>{named('status', of)}</span>;
}
