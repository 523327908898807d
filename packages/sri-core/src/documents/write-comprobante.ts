import { type AccessKey, buildAccessKey } from '../access-key.js';
import { toIssueDate } from '../calendar.js';
import type { Environment } from '../environment.js';
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

/**
 * Writes the XML of a document, unsigned and canonical, with its access key.
 *
 * @throws ValidationError for an invalid issuer; AccessKeyError for numbering with wrong digits.
 */
export function writeComprobante(
  document: PreparedDocument,
  issuer: Issuer,
  numbering: Numbering,
): { readonly xml: CanonicalXml; readonly accessKey: AccessKey } {
  const checkedIssuer = validateIssuer(issuer);
  const { environment, sequential, numericCode } = numbering;
  const accessKey = buildAccessKey({
    issueDate: toIssueDate(document.issueDate),
    documentType: document.documentType,
    ruc: checkedIssuer.ruc,
    environment,
    branchCode: checkedIssuer.branchCode,
    issuePointCode: checkedIssuer.issuePointCode,
    sequential,
    numericCode,
  });
  const heading = { issuer: checkedIssuer, environment, sequential, accessKey };
  const root = documentTypeOf(document.documentType).write(document, heading);
  // The writers escape every text as canonical XML does and write no empty-element tag; tests check that. The pieces are
  // joined here: a text built with `+` is flattened by the signer on each read.
  return { xml: [XML_DECLARATION, root].join('') as CanonicalXml, accessKey };
}
