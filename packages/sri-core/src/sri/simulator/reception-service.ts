import type { Environment } from '../../environment.js';
import type { SriMessage } from '../../storage.js';
import { findReturn } from '../rules/content.js';
import { checkIssueDate, checkStructure } from '../rules/reception.js';
import { sriMessage } from '../rules/sri-message.js';
import { readSubmission, type Submission } from '../rules/submission.js';
import { type AuthorizationVerdict, judge } from './authorization-checks.js';
import type { Ledger } from './ledger.js';
import { findMagicEffect, type MagicEffect } from './magic-buyers.js';

/** The dependencies of the simulated reception. */
export interface ReceptionService {
  readonly ledger: Ledger;
  /** From RECIBIDA to the verdict. */
  readonly authorizationDelayMs: number;
  readonly checkSignature: boolean;
}

/** A submitted comprobante: parsed, with its key and its counterparty's effect, before any decision. */
export interface Arrival {
  readonly content: Submission | SriMessage;
  /** As written; `N/A` without a readable one. */
  readonly accessKey: string;
  readonly effect: MagicEffect | null;
}

/** Parses a submission. */
export function openSubmission(bytes: Uint8Array): Arrival {
  const content = bytes.byteLength === 0 ? sriMessage('49') : readSubmission(bytes);
  if (!('root' in content)) return { content, accessKey: 'N/A', effect: null };
  const effect = findMagicEffect(content.type?.counterpartyId(content.root) ?? null);
  return { content, accessKey: content.accessKey || 'N/A', effect };
}

/**
 * Accepts or rejects a comprobante, in the SRI's order: size and structure, uniqueness, dates. A rejected one is not stored,
 * unless its counterparty forces that.
 *
 * @returns the messages of a DEVUELTA; empty for RECIBIDA.
 */
export async function receive(
  service: ReceptionService,
  arrival: Arrival,
  at: { readonly now: Date; readonly environment: Environment | null },
): Promise<readonly SriMessage[]> {
  const { content, effect } = arrival;
  if (!('root' in content)) return [content];
  const refusal =
    checkStructure(content, at.environment) ??
    (await checkUnique(service.ledger, content.accessKey, at.now)) ??
    checkIssueDate(content, at.now) ??
    findReturn(content) ??
    (effect?.kind === 'returned' ? sriMessage(effect.code) : null);
  if (refusal) return [refusal];
  hold(service, content, effect, at.now);
  if (effect?.kind === 'alreadyHeld') return [effect.code === '43' ? sriMessage('43') : inProcess(content.accessKey)];
  return effect?.kind === 'foreignContent' ? [sriMessage('43')] : [];
}

// --- internal ---

async function checkUnique(ledger: Ledger, accessKey: string, now: Date): Promise<SriMessage | null> {
  const standing = await ledger.standing(accessKey, now);
  if (standing.kind === 'inProcess') return inProcess(accessKey);
  if (standing.kind === 'decided' && standing.verdict.authorized) return sriMessage('43');
  return (await ledger.numberTaken(accessKey, now)) ? sriMessage('45') : null;
}

/** With the stray blanks of the real SRI, which readers must tolerate. */
function inProcess(accessKey: string): SriMessage {
  const message = sriMessage(
    '70',
    `La clave de acceso ${accessKey}  esta en procesamiento VALOR DEVUELTO POR EL PROCEDIMIENTO: SI`,
  );
  return { ...message, message: `${message.message} ` };
}

function hold(service: ReceptionService, content: Submission, effect: MagicEffect | null, now: Date): void {
  const laterMs = effect?.kind === 'late' ? effect.byMs : 0;
  // The check runs in the background from now on, as at the real SRI. A later query finds the verdict.
  const verdict = decide(service, content, effect, now);
  verdict.catch(() => {});
  service.ledger.hold({
    accessKey: content.accessKey,
    xml: effect?.kind === 'foreignContent' ? anotherContent(content.xml) : content.xml,
    receivedAt: now,
    decidesAt: laterMs === null ? null : new Date(now.getTime() + service.authorizationDelayMs + laterMs),
    effect,
    verdict,
  });
}

async function decide(
  { ledger, checkSignature }: ReceptionService,
  content: Submission,
  effect: MagicEffect | null,
  now: Date,
): Promise<AuthorizationVerdict> {
  if (effect?.kind === 'notAuthorized') return { authorized: false, messages: [sriMessage(effect.code)] };
  const verdict = await judge(content, {
    now,
    checkSignature: checkSignature && effect?.kind !== 'foreignContent',
    knows: ledger.knows,
  });
  if (effect?.kind !== 'warned' || !verdict.authorized) return verdict;
  return { ...verdict, messages: [sriMessage(effect.code), ...verdict.messages] };
}

/** The same key on another document: another counterparty's name, and so another signature value. */
function anotherContent(xml: string): string {
  return xml
    .replace(/(<razonSocial(?:Comprador|Proveedor|Destinatario|SujetoRetenido)>)[^<]*/, '$1OTRO COMPRADOR')
    .replace(/(<(?:[\w-]+:)?SignatureValue\b[^>]*>)([^<]*)/, (_, tag: string, value: string) => {
      return tag + [...value].reverse().join('');
    });
}
