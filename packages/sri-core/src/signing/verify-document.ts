import type { Element } from '@xmldom/xmldom';
import type { Language } from '../catalogs/catalog.js';
import { describeRule, WARNING_RULES } from '../documents/messages.js';
import { XmlError } from '../errors.js';
import { canonicalize } from '../xml/c14n.js';
import { readDocument } from '../xml/document.js';
import { childElements, childrenNamed, elementAt } from '../xml/elements.js';
import { Findings, quote } from './findings.js';
import { MAX_FOREIGN_XML_BYTES } from './foreign-xml.js';
import { locateSignature, type SignatureParts } from './signature-parts.js';
import {
  CHECK_NAMES,
  type CheckName,
  type SignerFacts,
  type VerificationReport,
  type VerificationWarning,
} from './verification.js';
import { checkCertificate, readSigningTime } from './verify-certificate.js';
import { checkReferences } from './verify-references.js';
import { DS, XADES } from './xmldsig.js';

/** Implements `verifyXml` on this thread; see there. */
export function verifyDocument(xml: string, now: Date | null): VerificationReport {
  const findings = new Findings();
  const text = xml.replace(/^\uFEFF/, '');
  const root = readRoot(text, findings);
  const parts = root && locateSignature(root, text, findings);
  let signer: SignerFacts | null = null;
  if (parts) {
    checkReferences(text, parts, findings);
    signer = checkCertificate(parts, now, findings);
    checkDataObjectFormat(parts, findings);
  }
  const warnings = root && signer ? findInRuc(root, signer) : [];
  return {
    valid: findings.allPassed(REQUIRED),
    checks: findings.checks,
    signer,
    signingTime: parts && readSigningTime(parts),
    warnings: [...warnings, ...findings.warnings],
  };
}

// --- internal ---

/** The checks of optional parts. */
const OPTIONAL: ReadonlySet<CheckName> = new Set(['keyInfoDigest', 'keyValue', 'dataObjectFormat']);
/** The checks that a valid signature requires. */
const REQUIRED = CHECK_NAMES.filter((name) => !OPTIONAL.has(name));

function readRoot(text: string, findings: Findings): Element | null {
  try {
    const { root } = readDocument(text, MAX_FOREIGN_XML_BYTES);
    canonicalize(root); // throws for content without a canonical form
    findings.pass('wellFormed', 'The file is well-formed XML without a DOCTYPE.');
    return root;
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    findings.fail('wellFormed', error.message);
    return null;
  }
}

/** The SRI looks for the issuer's RUC in the certificate. Without an issuer in the file this is undecided. */
function findInRuc(root: Element, { ruc: named }: SignerFacts): readonly VerificationWarning[] {
  const own = childNamed(childNamed(root, 'infoTributaria'), 'ruc')?.textContent?.trim();
  if (!own || own === named) return [];
  const code = named === null ? 'CERTIFICATE_WITHOUT_RUC' : 'CERTIFICATE_OF_ANOTHER_RUC';
  const params = { own: /^[0-9]{13}$/.test(own) ? own : quote(own), named: named ?? '' };
  const describe = (language: Language) => describeRule(WARNING_RULES[code], params, language);
  return [{ code, message: { es: describe('es'), en: describe('en') } }];
}

function childNamed(element: Element | null, name: string): Element | null {
  return (element && childElements(element).find(({ localName }) => localName === name)) ?? null;
}

/** Optional in XAdES; if present, it must describe the comprobante. */
function checkDataObjectFormat({ root, signedInfo, signedProperties }: SignatureParts, findings: Findings): void {
  const format = elementAt(signedProperties, XADES, 'SignedDataObjectProperties', 'DataObjectFormat');
  if (!format) return;
  const written = format.getAttribute('ObjectReference');
  const reference = childrenNamed(signedInfo, DS, 'Reference').find((one) => `#${one.getAttribute('Id')}` === written);
  // Some signers name the comprobante, and not the reference to it.
  const target = (reference?.getAttribute('URI') ?? written)?.slice(1);
  if (target && target === (root.getAttribute('id') ?? root.getAttribute('Id') ?? root.getAttribute('ID'))) {
    findings.pass('dataObjectFormat', 'DataObjectFormat speaks of the comprobante.');
  } else findings.fail('dataObjectFormat', `DataObjectFormat points to ${quote(written)}.`);
}
