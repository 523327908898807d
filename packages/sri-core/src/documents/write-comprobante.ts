import { type AccessKey, type AccessKeyParts, buildAccessKey, buildPreviewKey } from '../access-key.js';
import { toIssueDate } from '../calendar.js';
import type { Environment } from '../environment.js';
import { PREVIEW_SEQUENTIAL } from '../sequential.js';
import type { CanonicalXml } from '../xml/canonical-xml.js';
import { XML_DECLARATION } from '../xml/writer.js';
import type { Issuer } from './issuer.js';
import { validateIssuer } from './issuer-check.js';
import { documentTypeOf, type PreparedDocument } from './registry.js';

/** The numbering of a prepared document. */
export interface Numbering {
  readonly environment: Environment;
  /** 1 to 999999999. */
  readonly sequential: number;
  /** Eight random digits per document. */
  readonly numericCode: string;
}

/** The XML of a document with its access key. */
export interface WrittenComprobante {
  readonly xml: CanonicalXml;
  readonly accessKey: AccessKey;
}

/**
 * Writes the XML of a document, unsigned and canonical, with its access key.
 *
 * @throws ValidationError for an invalid issuer; AccessKeyError for numbering with wrong digits.
 */
export function writeComprobante(document: PreparedDocument, issuer: Issuer, numbering: Numbering): WrittenComprobante {
  const { environment, sequential, numericCode } = numbering;
  return write(document, issuer, { environment, sequential }, (parts) =>
    buildAccessKey({ ...parts, sequential, numericCode }),
  );
}

/**
 * Writes the XML of a document without a number. Its secuencial is 000000000, and its access key has zeros there too; the
 * schema accepts both.
 *
 * @throws ValidationError for an invalid issuer.
 */
export function writePreview(document: PreparedDocument, issuer: Issuer, environment: Environment): WrittenComprobante {
  return write(document, issuer, { environment, sequential: PREVIEW_SEQUENTIAL }, buildPreviewKey);
}

// --- internal ---

function write(
  document: PreparedDocument,
  issuer: Issuer,
  { environment, sequential }: Pick<Numbering, 'environment' | 'sequential'>,
  toKey: (parts: Omit<AccessKeyParts, 'sequential' | 'numericCode'>) => AccessKey,
): WrittenComprobante {
  const checkedIssuer = validateIssuer(issuer);
  const accessKey = toKey({
    issueDate: toIssueDate(document.issueDate),
    documentType: document.documentType,
    ruc: checkedIssuer.ruc,
    environment,
    branchCode: checkedIssuer.branchCode,
    issuePointCode: checkedIssuer.issuePointCode,
  });
  const heading = { issuer: checkedIssuer, environment, sequential, accessKey };
  const root = documentTypeOf(document.documentType).write(document, heading);
  // The writers escape every text as canonical XML does and write no empty-element tag; tests check that. The pieces are
  // joined here: a text built with `+` is flattened by the signer on each read.
  return { xml: [XML_DECLARATION, root].join('') as CanonicalXml, accessKey };
}
