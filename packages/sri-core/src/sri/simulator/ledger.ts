import { parseAccessKey } from '../../access-key.js';
import { formatDocumentNumber } from '../../sequential.js';
import type { AuthorizationVerdict } from './authorization-checks.js';
import type { MagicEffect } from './magic-buyers.js';

/** A comprobante that the simulated SRI accepted. */
export interface HeldComprobante {
  readonly accessKey: string;
  /** The content it returns; not always the submitted one (a magic identification changes it). */
  readonly xml: string;
  readonly receivedAt: Date;
  /** When the verdict becomes visible; null for never. */
  readonly decidesAt: Date | null;
  readonly verdict: Promise<AuthorizationVerdict>;
  /** The effect of its counterparty. */
  readonly effect: MagicEffect | null;
}

/** The state of a comprobante at some moment. */
export type Standing =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'inProcess'; readonly held: HeldComprobante }
  | {
      readonly kind: 'decided';
      readonly held: HeldComprobante;
      readonly decidedAt: Date;
      readonly verdict: AuthorizationVerdict;
    };

/** The memory of the simulated SRI: comprobantes by key, and the key of each number. */
export interface Ledger {
  hold(comprobante: HeldComprobante): void;
  standing(accessKey: string, now: Date): Promise<Standing>;
  /** Whether another key of the same issuer, environment, type and point has this number. Rejected keys do not count. */
  numberTaken(accessKey: string, now: Date): Promise<boolean>;
  /** Whether a document of that type and number was accepted from the issuer, in the key's environment. */
  knows(accessKey: string, documentType: string, number: string): boolean;
  clear(): void;
}

/** @param capacity beyond it the oldest entries are dropped, so that a simulator can run for weeks. */
export function createLedger(capacity: number): Ledger {
  const byKey = new Map<string, HeldComprobante>();
  const keysByNumber = new Map<string, Set<string>>();

  function forget(accessKey: string): void {
    byKey.delete(accessKey);
    const keys = keysByNumber.get(numberOf(accessKey));
    keys?.delete(accessKey);
    if (keys?.size === 0) keysByNumber.delete(numberOf(accessKey));
  }

  const ledger: Ledger = {
    hold(comprobante) {
      forget(comprobante.accessKey);
      byKey.set(comprobante.accessKey, comprobante);
      const number = numberOf(comprobante.accessKey);
      keysByNumber.set(number, (keysByNumber.get(number) ?? new Set()).add(comprobante.accessKey));
      const [oldest] = byKey.keys();
      if (byKey.size > capacity && oldest !== undefined) forget(oldest);
    },
    async standing(accessKey, now) {
      const held = byKey.get(accessKey);
      if (!held) return { kind: 'unknown' };
      if (!held.decidesAt || held.decidesAt > now) return { kind: 'inProcess', held };
      return { kind: 'decided', held, decidedAt: held.decidesAt, verdict: await held.verdict };
    },
    async numberTaken(accessKey, now) {
      for (const other of keysByNumber.get(numberOf(accessKey)) ?? []) {
        if (other === accessKey) continue;
        const standing = await ledger.standing(other, now);
        if (standing.kind === 'inProcess' || (standing.kind === 'decided' && standing.verdict.authorized)) return true;
      }
      return false;
    },
    knows(accessKey, documentType, number) {
      const { ruc, environment } = parseAccessKey(accessKey);
      return keysByNumber.has(`${documentType} ${ruc} ${environment} ${number}`);
    },
    clear() {
      byKey.clear();
      keysByNumber.clear();
    },
  };
  return ledger;
}

// --- internal ---

function numberOf(accessKey: string): string {
  const { documentType, ruc, environment, branchCode, issuePointCode, sequential } = parseAccessKey(accessKey);
  return `${documentType} ${ruc} ${environment} ${formatDocumentNumber(branchCode, issuePointCode, sequential)}`;
}
