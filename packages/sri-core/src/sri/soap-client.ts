import type { AccessKey } from '../access-key.js';
import type { Clock } from '../clock.js';
import { type Environment, requireEnvironment } from '../environment.js';
import { SriUnavailableError } from '../errors.js';
import type { Random } from '../random.js';
import type { XmlElement } from '../xml/reader.js';
import { type AuthorizationAnswer, readAuthorization } from './authorization.js';
import { type ConsultationAnswer, readConsultation } from './consultation.js';
import { type ReceptionAnswer, readReception } from './reception.js';
import {
  AUTHORIZATION,
  authorizationEnvelope,
  CONSULTATION,
  consultationEnvelope,
  RECEPTION,
  receptionEnvelope,
  type SoapOperation,
  SRI_SERVICES_PATH,
} from './soap.js';
import { callSoap } from './soap-call.js';
import type { Transport } from './transport.js';

/** The SRI's two hosts. Ficha técnica off-line v2.34, §7 and §8. */
export const SRI_URLS = {
  sandbox: `https://celcer.sri.gob.ec${SRI_SERVICES_PATH}`,
  production: `https://cel.sri.gob.ec${SRI_SERVICES_PATH}`,
} as const satisfies Record<Environment, string>;

/** The options of a client. */
export interface SriClientOptions {
  readonly transport: Transport;
  /** Up to and including `/comprobantes-electronicos-ws`. Default: the SRI's hosts. */
  readonly urls?: Readonly<Record<Environment, string>>;
  readonly clock: Clock;
  readonly random: Random;
  /** Limit of one call, from its start to the last byte of the answer. Default 30 s. */
  readonly timeoutMs?: number;
  /** Pauses before the retries after a network failure. Default 0.5, 1 and 2 s, each plus up to half of it. */
  readonly repeatDelaysMs?: readonly number[];
}

/**
 * Calls the SRI about one document. Every method resolves with the SRI's decision, also a rejection, and rejects with
 * SriUnavailableError without one. A network failure is retried within the call (four requests at most), an HTTP error is
 * not. An aborted signal rejects with its reason; a submission under way may have arrived. An unknown environment is a
 * TypeError.
 */
export interface SriClient {
  /** Submits the signed bytes. Retries are byte-identical; a 43 or 70 then means that one arrived. */
  submit(
    environment: Environment,
    accessKey: AccessKey,
    signedXml: string,
    signal?: AbortSignal,
  ): Promise<ReceptionAnswer>;
  /** Queries the authorization of a key. */
  authorization(environment: Environment, accessKey: AccessKey, signal?: AbortSignal): Promise<AuthorizationAnswer>;
  /** Queries whether the document of a key is valid now. The SRI answers for recent keys only. */
  consultation(environment: Environment, accessKey: AccessKey, signal?: AbortSignal): Promise<ConsultationAnswer>;
}

/** The calls that bring a document to its authorization. */
export type IssuingCalls = Pick<SriClient, 'submit' | 'authorization'>;

/** Creates a client. No connection opens before the first call. @throws TypeError without a transport. */
export function createSriClient(options: SriClientOptions): SriClient {
  const {
    transport,
    clock,
    random,
    urls = SRI_URLS,
    timeoutMs = 30_000,
    repeatDelaysMs = [500, 1_000, 2_000],
  } = options;

  // A call that never left would count as an SRI that does not answer.
  if (typeof transport !== 'function')
    throw new TypeError('transport has to be a function, such as undiciTransport().');

  async function call(
    target: { readonly operation: SoapOperation; readonly environment: Environment; readonly envelope: string },
    signal: AbortSignal | undefined,
  ): Promise<XmlElement> {
    const { operation, environment, envelope } = target;
    requireEnvironment(environment);
    let mayHaveArrived = false;
    for (let repetition = 0; ; repetition += 1) {
      try {
        return await callSoap({ transport, clock, timeoutMs, operation, baseUrl: urls[environment], envelope, signal });
      } catch (error) {
        if (!(error instanceof SriUnavailableError)) throw error;
        mayHaveArrived ||= error.mayHaveArrived;
        const delayMs = error.network ? repeatDelaysMs[repetition] : undefined;
        // The last request may have failed to connect while an earlier one arrived.
        if (delayMs === undefined) throw withArrival(error, mayHaveArrived);
        await clock.sleep(delayMs + jitter(delayMs, random), signal);
      }
    }
  }

  return {
    // Not async: an async frame would keep the text next to the envelope until the SRI answers.
    submit(environment, accessKey, signedXml, signal) {
      const target = { operation: RECEPTION, environment, envelope: receptionEnvelope(signedXml) };
      return call(target, signal).then((element) => {
        const answer = readReception(element, accessKey);
        if (!answer) throw unreadable('The SRI answered, but not about this document.');
        return answer;
      });
    },
    async authorization(environment, accessKey, signal) {
      const target = { operation: AUTHORIZATION, environment, envelope: authorizationEnvelope(accessKey) };
      return readAuthorization(await call(target, signal), accessKey);
    },
    async consultation(environment, accessKey, signal) {
      const target = { operation: CONSULTATION, environment, envelope: consultationEnvelope(accessKey) };
      const answer = readConsultation(await call(target, signal), accessKey);
      if (!answer) throw unreadable('The SRI answered, but not with a state of this key.');
      return answer;
    },
  };
}

/** An answer came, and it is of no use for this document. */
export function unreadable(message: string): SriUnavailableError {
  return new SriUnavailableError(message, { httpStatus: 'HTTP_502', mayHaveArrived: true, network: false });
}

// --- internal ---

function jitter(delayMs: number, random: Random): number {
  return Math.floor(((random.bytes(1)[0] ?? 0) / 256) * (delayMs / 2));
}

function withArrival(error: SriUnavailableError, mayHaveArrived: boolean): SriUnavailableError {
  if (error.mayHaveArrived === mayHaveArrived) return error;
  const { message, httpStatus, network, cause } = error;
  return new SriUnavailableError(message, { httpStatus, mayHaveArrived, network, cause });
}
