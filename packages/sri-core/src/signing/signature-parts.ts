import type { Element } from '@xmldom/xmldom';
import {
  childElements,
  childrenNamed,
  elementsOf,
  findElements,
  hasNoText,
  isNamed,
  isText,
  plainText,
} from '../xml/elements.js';
import { documentIds } from './document-ids.js';
import { type Findings, quote } from './findings.js';
import { DS, XADES } from './xmldsig.js';

/** The parts of a document's single signature. An optional part may be null; then a check has failed. */
export interface SignatureParts {
  readonly root: Element;
  readonly signature: Element;
  readonly signedInfo: Element;
  readonly signatureValue: Element | null;
  readonly keyInfo: Element | null;
  readonly signedProperties: Element | null;
}

/**
 * Finds the signature and checks its form. Later checks use elements and never names, so a copy of a part elsewhere in the
 * file is rejected here.
 *
 * @param text the whole file, for details outside the tree.
 * @returns null when the signature, or its SignedInfo, is ambiguous.
 */
export function locateSignature(root: Element, text: string, findings: Findings): SignatureParts | null {
  const signatures = findElements(root, DS, 'Signature');
  const [signature] = signatures;
  if (!signature) {
    const cause = root.localName === 'autorizacion' ? 'authorizationFile' : 'notSigned';
    findings.fail('oneSignature', 'The document has no ds:Signature.', cause);
    return null;
  }
  if (signatures.length > 1) {
    findings.fail('oneSignature', `The document has ${signatures.length} ds:Signature elements.`);
    return null;
  }
  findings.pass('oneSignature', 'The document has one ds:Signature.');
  checkPosition(root, signature, findings);
  checkIds(root, signature, findings);

  const signedInfos = findElements(root, DS, 'SignedInfo');
  const [signedInfo] = signedInfos;
  if (!signedInfo || signedInfos.length > 1 || signedInfo.parentNode !== signature) {
    findings.fail('oneSignedInfo', `There are ${signedInfos.length} ds:SignedInfo elements, or one out of its place.`);
    return null;
  }
  findings.pass('oneSignedInfo', 'The signature has one SignedInfo.');
  const parts: SignatureParts = {
    root,
    signature,
    signedInfo,
    signatureValue: childrenNamed(signature, DS, 'SignatureValue')[0] ?? null,
    keyInfo: childrenNamed(signature, DS, 'KeyInfo')[0] ?? null,
    signedProperties: findElements(signature, XADES, 'SignedProperties')[0] ?? null,
  };
  const flaw = findFlaw(parts);
  if (flaw) findings.fail('structure', flaw);
  else findings.pass('structure', 'The parts of XMLDSig and XAdES-BES are there, each once and in its place.');
  checkValues(signature, text, findings);
  return parts;
}

// --- internal ---

function checkPosition(root: Element, signature: Element, findings: Findings): void {
  const isLast = childElements(root).at(-1) === signature;
  let textAfter = false;
  for (let node = signature.nextSibling; node; node = node.nextSibling) {
    if (isText(node) && node.nodeValue?.trim()) textAfter = true;
  }
  if (isLast && !textAfter) findings.pass('signaturePosition', 'The signature is the last element of the root.');
  else findings.fail('signaturePosition', 'The signature is not the last thing inside the root element.');
}

/** Some signers repeat an id that no reference uses: the signed parts stay clear. */
function checkIds(root: Element, signature: Element, findings: Findings): void {
  const used = new Set(findElements(signature, DS, 'Reference').map((reference) => reference.getAttribute('URI')));
  const first = documentIds(root).duplicates.find((id) => used.has(`#${id}`));
  if (first === undefined) findings.pass('uniqueIds', 'Each id that a reference uses is of one element.');
  else findings.fail('uniqueIds', `The id ${quote(first)} occurs more than once.`);
}

/** @returns the missing or misplaced part; null when the form is correct. */
function findFlaw({ signature, signedInfo, keyInfo, signatureValue, signedProperties }: SignatureParts): string | null {
  const [first, second, third, ...objects] = childElements(signature);
  if (first !== signedInfo) return 'SignedInfo is not the first part of the signature.';
  if (!signatureValue || second !== signatureValue) return 'SignatureValue is missing or not the second part.';
  if (!keyInfo || third !== keyInfo) return 'KeyInfo is missing or not the third part.';
  if (!objects.every((object) => isNamed(object, DS, 'Object'))) return 'Something other than Object follows KeyInfo.';
  if (!hasNoText(signature)) return 'Text stands between the parts of the signature.';
  return findSignedInfoFlaw(signedInfo) ?? findXadesFlaw(signature, signedProperties);
}

function findSignedInfoFlaw(signedInfo: Element): string | null {
  const [canonicalization, method, ...references] = childElements(signedInfo);
  if (!canonicalization || !isNamed(canonicalization, DS, 'CanonicalizationMethod')) {
    return 'SignedInfo does not begin with CanonicalizationMethod.';
  }
  if (!method || !isNamed(method, DS, 'SignatureMethod')) return 'SignatureMethod is missing or not the second part.';
  if (references.length > MAX_REFERENCES) return `SignedInfo has more than ${MAX_REFERENCES} references.`;
  for (const reference of references) {
    if (!isNamed(reference, DS, 'Reference')) return 'SignedInfo holds something other than references.';
    const names = childElements(reference).map((part) => (part.namespaceURI === DS ? part.localName : ''));
    if (!/^(Transforms )?DigestMethod DigestValue$/.test(names.join(' '))) {
      return 'A reference is not made of Transforms, DigestMethod and DigestValue.';
    }
  }
  return null;
}

function findXadesFlaw(signature: Element, signedProperties: Element | null): string | null {
  const qualifying = [...elementsOf(signature)].filter(({ localName }) => localName === 'QualifyingProperties');
  const [only] = qualifying;
  if (!only || qualifying.length > 1) return `There are ${qualifying.length} QualifyingProperties instead of one.`;
  if (only.namespaceURI !== XADES) return `QualifyingProperties is of ${quote(only.namespaceURI)}, not of XAdES 1.3.2.`;
  if (only.parentNode?.parentNode !== signature) return 'QualifyingProperties is not in an Object of the signature.';
  if (findElements(signature, XADES, 'SignedProperties').length > 1) return 'There are several SignedProperties.';
  if (!signedProperties || signedProperties.parentNode !== only) return 'SignedProperties is missing or out of place.';
  const [properties, ...others] = childrenNamed(signedProperties, XADES, 'SignedSignatureProperties');
  if (!properties || others.length > 0) return 'SignedProperties has no SignedSignatureProperties, or several.';
  const names = childElements(properties).map(({ localName }) => localName);
  if (new Set(names).size < names.length) return 'SignedSignatureProperties has two parts of one name.';
  const id = signature.getAttribute('Id');
  const target = only.getAttribute('Target');
  return id && target === `#${id}`
    ? null
    : `Target of QualifyingProperties is ${quote(target)}, not the signature’s Id.`;
}

/** A comment inside a value makes two readers see two values (CVE-2025-29775). */
function checkValues(signature: Element, text: string, findings: Findings): void {
  const values = [...elementsOf(signature)].filter(({ localName }) => VALUES.has(localName));
  const cut = values.find((value) => plainText(value) === null)?.tagName ?? EMPTY_CDATA.exec(text)?.[1];
  if (cut === undefined)
    findings.pass('plainValues', 'Every digest, signature and certificate value is one plain text.');
  else findings.fail('plainValues', `The text of ${quote(cut)} is cut by a comment, CDATA or an element.`);
}

const MAX_REFERENCES = 16;
const VALUES: ReadonlySet<string | null> = new Set([
  'DigestValue',
  'SignatureValue',
  'X509Certificate',
  'Modulus',
  'Exponent',
  'X509IssuerName',
  'X509SerialNumber',
  'SigningTime',
]);
/** A value with an empty CDATA section, which the parser drops from its tree. */
const EMPTY_CDATA = new RegExp(
  `<((?:[^\\s<>/:]+:)?(?:${[...VALUES].join('|')}))(?:\\s[^<>]*)?>[^<]*<!\\[CDATA\\[\\]\\]>`,
);
