import { hash, type KeyObject, sign } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { idsOf } from '../signing/document-ids.js';
import { DIGEST_METHODS, DS, EXCLUSIVE_C14N, SIGNATURE_METHODS } from '../signing/xmldsig.js';
import { canonicalize } from '../xml/c14n.js';
import { childrenNamed, elementAt, elementsOf, findElements } from '../xml/elements.js';
import { parseDom } from '../xml/reader.js';

/**
 * Recomputes the digests and the signature value of a changed document, as a forger with the key would. A test then
 * sees only the other faults.
 *
 * @param text has SignedInfo before any other digest value, as in every signature of this library.
 */
export function resign(text: string, privateKey: KeyObject): string {
  const digests = locate(text).references.map(digestOf);
  let index = 0;
  const digested = text.replace(/(<(?:\w+:)?DigestValue[^>]*>)[^<]*/g, (whole, tag: string) => {
    const digest = digests[index++];
    return digest === undefined ? whole : tag + digest;
  });
  const { signedInfo } = locate(digested);
  const uri = elementAt(signedInfo, DS, 'SignatureMethod')?.getAttribute('Algorithm');
  const method = Object.values(SIGNATURE_METHODS).find((candidate) => candidate.uri === uri);
  const exclusive = isExclusive(elementAt(signedInfo, DS, 'CanonicalizationMethod'));
  const value = sign(method?.digest.hash ?? 'sha1', Buffer.from(canonicalize(signedInfo, { exclusive })), privateKey);
  return digested.replace(/(<(?:\w+:)?SignatureValue[^>]*>)[^<]*/, (_, tag: string) => tag + value.toString('base64'));
}

// --- internal ---

function locate(text: string): { signedInfo: Element; references: readonly Element[] } {
  const root = parseDom(text, 1e6);
  const [signedInfo] = findElements(root, DS, 'SignedInfo');
  if (!signedInfo) throw new Error('The document has no SignedInfo.');
  return { signedInfo, references: childrenNamed(signedInfo, DS, 'Reference') };
}

function digestOf(reference: Element): string {
  const root = reference.ownerDocument?.documentElement;
  const signature = reference.parentNode?.parentNode;
  if (!root || !signature) throw new Error('The reference is in no document.');
  const uri = reference.getAttribute('URI')?.slice(1) ?? '';
  const target = uri === '' ? root : [...elementsOf(root)].find((element) => idsOf(element).includes(uri));
  const algorithm = elementAt(reference, DS, 'DigestMethod')?.getAttribute('Algorithm');
  const method = DIGEST_METHODS.find((candidate) => candidate.uri === algorithm) ?? DIGEST_METHODS[0];
  const exclusive = isExclusive(childrenNamed(elementAt(reference, DS, 'Transforms'), DS, 'Transform').at(-1));
  return target ? hash(method.hash, canonicalize(target, { omit: signature as Element, exclusive }), 'base64') : '';
}

function isExclusive(element: Element | null | undefined): boolean {
  return element?.getAttribute('Algorithm') === EXCLUSIVE_C14N;
}
