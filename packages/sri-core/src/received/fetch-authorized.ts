import { type AccessKey, parseAccessKey } from '../access-key.js';
import { openComprobante } from '../documents/open-comprobante.js';
import { readComprobante } from '../documents/read-comprobante.js';
import type { Comprobante } from '../documents/registry.js';
import { XmlError } from '../errors.js';
import type { VerificationReport } from '../signing/verification.js';
import { verifyXml } from '../signing/verify.js';
import { findKeyDifferences } from '../sri/rules/key.js';
import { readSubmissionText } from '../sri/rules/submission.js';
import { type SriClient, unreadable } from '../sri/soap-client.js';
import type { SriMessage } from '../storage.js';

/** What the SRI holds under an access key. */
export type FetchedDocument = FetchedAuthorized | FetchedRefusal | FetchedNothing;

/** The authorized document. */
export interface FetchedAuthorized {
  readonly outcome: 'authorized';
  readonly accessKey: AccessKey;
  /** The SRI's authorization, `date` as the SRI wrote it. */
  readonly authorization: {
    readonly number: string;
    readonly date: string;
    readonly messages: readonly SriMessage[] | null;
  };
  /** The signed document, as the SRI holds it. */
  readonly xml: string;
  /** The content of `xml`; its key and heading are those of the key that was asked for. */
  readonly comprobante: Comprobante;
  /** Whether the signature of `xml` is valid, and its signer. An invalid signature is reported here, not thrown. */
  readonly signature: VerificationReport;
}

/** The SRI refused the document; it has no validity. */
export interface FetchedRefusal {
  readonly outcome: 'notAuthorized';
  readonly accessKey: AccessKey;
  /** The SRI's estado with underscores, such as `NO_AUTORIZADO`. */
  readonly status: string;
  readonly messages: readonly SriMessage[] | null;
}

/** No verdict. `inProcess`: the SRI is working on it. `unknown`: it shows nothing under the key, now or ever. */
export interface FetchedNothing {
  readonly outcome: 'inProcess' | 'unknown';
  readonly accessKey: AccessKey;
}

/**
 * Fetches the document of any issuer's access key from the SRI, without a login. The key names the environment.
 *
 * @param options.sri the client, as of `createSriClient`; it limits and repeats the call.
 * @throws AccessKeyError when the text is no access key.
 * @throws SriUnavailableError without a usable answer, also when the answer has another document than that of the key.
 */
export async function fetchAuthorized(
  accessKey: string,
  options: { readonly sri: Pick<SriClient, 'authorization'>; readonly signal?: AbortSignal },
): Promise<FetchedDocument> {
  const key = parseAccessKey(accessKey);
  const answer = await options.sri.authorization(key.environment, key.accessKey, options.signal);
  if (answer.outcome === 'pending') {
    if (answer.problem !== null) throw unreadable(answer.problem);
    return { outcome: answer.known ? 'inProcess' : 'unknown', accessKey: key.accessKey };
  }
  if (answer.outcome === 'notAuthorized') {
    const { status, messages } = answer;
    return { outcome: 'notAuthorized', accessKey: key.accessKey, status, messages };
  }
  const { number, date, messages } = answer;
  const { xml, comprobante } = openAnswered(answer.comprobante, key.accessKey);
  const signature = await verifyXml(xml);
  return {
    outcome: 'authorized',
    accessKey: key.accessKey,
    authorization: { number, date, messages },
    xml,
    comprobante,
    signature,
  };
}

// --- internal ---

/** The document in an answer, if it is that of the key. */
function openAnswered(
  text: string | null,
  accessKey: AccessKey,
): { readonly xml: string; readonly comprobante: Comprobante } {
  if (text === null) throw unreadable('The SRI answered AUTORIZADO without the document.');
  try {
    const { xml } = openComprobante(text);
    const submission = readSubmissionText(xml);
    const isOfKey =
      'root' in submission && submission.accessKey === accessKey && findKeyDifferences(submission).length === 0;
    if (!isOfKey) throw unreadable('The SRI answered with another document than that of the access key.');
    return { xml, comprobante: readComprobante(xml) };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw unreadable(`The document in the SRI's answer cannot be read. ${error.message}`);
  }
}
