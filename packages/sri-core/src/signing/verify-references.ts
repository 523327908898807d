import { hash } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { canonicalize } from '../xml/c14n.js';
import { childElements, childrenNamed, elementAt, isNamed, plainText } from '../xml/elements.js';
import { readBase64 } from './base64.js';
import { whyComprobanteDiffers, whyKeyInfoDiffers, whyPartDiffers } from './digest-causes.js';
import { idsOf } from './document-ids.js';
import { type Findings, quote } from './findings.js';
import type { SignatureParts } from './signature-parts.js';
import type { Cause } from './verification-advice.js';
import {
  C14N,
  DIGEST_METHODS,
  type DigestMethod,
  DS,
  ENVELOPED_SIGNATURE,
  EXCLUSIVE_C14N,
  SIGNATURE_METHODS,
} from './xmldsig.js';

/**
 * Checks the scope of the signature: algorithms, the target of each reference, and each digest. The digest is computed here
 * from the element that the reference points to.
 */
export function checkReferences(text: string, parts: SignatureParts, findings: Findings): void {
  const references = childrenNamed(parts.signedInfo, DS, 'Reference').map(readReference);
  checkAlgorithms(parts, references, findings);
  const targets = resolve(parts, references, findings);
  checkTransforms(targets, findings);
  for (const resolved of targets) checkDigest(resolved, { text, parts }, findings);
}

// --- internal ---

/** The digest of DigestMethod; null when a comprobante may not use it. */
function readDigestMethod(element: Element | null): DigestMethod | null {
  const uri = algorithmOf(element);
  return DIGEST_METHODS.find((method) => method.uri === uri) ?? null;
}

interface Reference {
  readonly element: Element;
  readonly uri: string | null;
  readonly transforms: readonly string[];
  readonly method: DigestMethod | null;
  readonly methodUri: string | null;
  readonly value: Buffer | null;
}

type Target = 'comprobante' | 'signedProperties' | 'keyInfo';
interface Resolved {
  readonly target: Target;
  readonly element: Element;
  readonly reference: Reference;
}

function readReference(element: Element): Reference {
  const method = elementAt(element, DS, 'DigestMethod');
  const value = elementAt(element, DS, 'DigestValue');
  const transforms = elementAt(element, DS, 'Transforms');
  return {
    element,
    uri: element.getAttribute('URI'),
    transforms: transforms ? childElements(transforms).map(readTransform) : [],
    method: readDigestMethod(method),
    methodUri: algorithmOf(method),
    value: value && readBase64(plainText(value)),
  };
}

/** The algorithm of a transform; for an element that is not a Transform, its name. */
function readTransform(element: Element): string {
  return isNamed(element, DS, 'Transform') ? (algorithmOf(element) ?? '') : element.tagName;
}

/** The algorithm of an element. One with a parameter, such as InclusiveNamespaces or XPath, is another. */
function algorithmOf(element: Element | null): string | null {
  if (!element) return null;
  const uri = element.getAttribute('Algorithm');
  const [parameter] = childElements(element);
  return parameter ? `${uri} ${parameter.localName}` : uri;
}

function checkAlgorithms({ signedInfo }: SignatureParts, references: readonly Reference[], findings: Findings): void {
  const canonicalization = algorithmOf(elementAt(signedInfo, DS, 'CanonicalizationMethod'));
  const signature = algorithmOf(elementAt(signedInfo, DS, 'SignatureMethod'));
  const unknown = [
    canonicalization === C14N || canonicalization === EXCLUSIVE_C14N ? null : canonicalization,
    Object.values(SIGNATURE_METHODS).some(({ uri }) => uri === signature) ? null : signature,
    ...references.map(({ method, methodUri }) => (method ? null : methodUri)),
  ].find((uri) => uri !== null);
  if (unknown === undefined && canonicalization && signature) {
    findings.pass('algorithms', 'Canonicalization, signature and digests use algorithms that comprobantes may use.');
  } else findings.fail('algorithms', `The algorithm ${quote(unknown ?? null)} is not one that comprobantes may use.`);
}

/** Pairs each reference with its target element, by identity and never by searching the document for an id. */
function resolve(parts: SignatureParts, references: readonly Reference[], findings: Findings): readonly Resolved[] {
  const elements = [
    { target: 'comprobante', element: parts.root },
    { target: 'signedProperties', element: parts.signedProperties },
    { target: 'keyInfo', element: parts.keyInfo },
  ] as const;
  const resolved: Resolved[] = [];
  let flaw: string | null = null;
  for (const reference of references) {
    const found = elements.flatMap(({ target, element }) =>
      element && idsOf(element).some((id) => reference.uri === `#${id}`) ? [{ target, element }] : [],
    )[0];
    if (!found) flaw ??= `A reference points to ${quote(reference.uri)}, which is no part that may be signed.`;
    else if (resolved.some((other) => other.target === found.target))
      flaw ??= `Two references point to ${quote(reference.uri)}.`;
    else {
      resolved.push({ ...found, reference });
      if (found.target === 'signedProperties' && !PROPERTIES_TYPE.test(reference.element.getAttribute('Type') ?? '')) {
        flaw ??= 'The reference to SignedProperties does not have the Type that XAdES gives it.';
      }
    }
  }
  for (const needed of ['comprobante', 'signedProperties'] as const) {
    if (!resolved.some(({ target }) => target === needed)) flaw ??= `No reference points to ${NAMES[needed]}.`;
  }
  if (flaw) findings.fail('referenceTargets', flaw);
  else
    findings.pass(
      'referenceTargets',
      `${resolved.length} references: ${resolved.map((r) => NAMES[r.target]).join(', ')}.`,
    );
  return resolved;
}

function checkTransforms(targets: readonly Resolved[], findings: Findings): void {
  for (const { target, reference } of targets) {
    // C14N may only be the last transform: it runs in any case.
    const last = reference.transforms.at(-1);
    const isLastC14n = last === C14N || last === EXCLUSIVE_C14N;
    const before = isLastC14n ? reference.transforms.slice(0, -1) : reference.transforms;
    const expected = target === 'comprobante' ? [ENVELOPED_SIGNATURE] : [];
    if (before.length !== expected.length || before[0] !== expected[0]) {
      const found = reference.transforms.slice(0, 3).map(quote).join(', ') || 'none';
      findings.fail('transforms', `The transforms of ${NAMES[target]} are not the expected ones: ${found}.`);
      return;
    }
  }
  findings.pass('transforms', 'The comprobante is transformed by enveloped-signature only, and nothing else is.');
}

function checkDigest(
  { target, element, reference: { method, value, transforms } }: Resolved,
  { text, parts }: { text: string; parts: SignatureParts },
  findings: Findings,
): void {
  if (!method) return; // already a failed check of algorithms
  const check = `${target}Digest` as const;
  if (!value) {
    findings.fail(check, `The digest of ${NAMES[target]} is not base64.`);
    return;
  }
  const canonical = canonicalize(element, { omit: parts.signature, exclusive: transforms.at(-1) === EXCLUSIVE_C14N });
  const computed = hash(method.hash, canonical, 'base64');
  if (value.toString('base64') === computed) {
    findings.pass(check, `The ${method.hash} digest of ${NAMES[target]} is right.`);
    return;
  }
  const cause: Cause | null =
    target === 'comprobante'
      ? whyComprobanteDiffers(text, parts, value)
      : ((target === 'keyInfo' ? whyKeyInfoDiffers(element, value) : null) ?? whyPartDiffers(element, value));
  const found = quote(value.toString('base64'));
  findings.fail(
    check,
    `The digest of ${NAMES[target]} is ${found} in the file and "${computed}" computed.`,
    cause ?? check,
  );
}

const NAMES: Readonly<Record<Target, string>> = {
  comprobante: 'the root element',
  signedProperties: 'SignedProperties',
  keyInfo: 'KeyInfo',
};
/** Signers write it with or without the version. */
const PROPERTIES_TYPE = /^http:\/\/uri\.etsi\.org\/01903(?:\/v[0-9.]+)?#SignedProperties$/;
