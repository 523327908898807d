import { CREDIT_NOTE_EXAMPLE } from '../documents/credit-note/examples.js';
import { DEBIT_NOTE_EXAMPLE } from '../documents/debit-note/examples.js';
import { DELIVERY_GUIDE_EXAMPLE } from '../documents/delivery-guide/examples.js';
import type { InvoiceBody } from '../documents/invoice/body.js';
import { PURCHASE_SETTLEMENT_EXAMPLE } from '../documents/purchase-settlement/examples.js';
import {
  DEFAULT_DOCUMENT_TYPE,
  DOCUMENT_TYPES,
  type DocumentBody,
  type DocumentTypeCode,
} from '../documents/registry.js';
import { WITHHOLDING_EXAMPLE } from '../documents/withholding/examples.js';
import { createEngine, type Engine } from '../engine.js';
import type { EngineOptions } from '../engine-options.js';
import type { EngineIssuer } from '../lifecycle/issuer-source.js';
import type { Signer } from '../signing/signer.js';
import { createSimulator, type Simulator } from '../simulator.js';
import type { Counter, Scope, Storage, StoredDocument } from '../storage.js';
import { createMemoryStorage } from './memory-storage.js';
import { createTestClock, type TestClock } from './test-clock.js';
import { createTestSigner } from './test-p12.js';

export const START = '2026-11-21T15:00:00.000Z';
export const SCOPE: Scope = { issuerId: 'issuer-1', environment: 'sandbox' };
const RUC = '1760013210001';

/** An engine on memory, a standing clock and the simulated SRI. */
export interface Bench {
  readonly engine: Engine;
  readonly storage: Storage;
  readonly clock: TestClock;
  readonly simulator: Simulator;
  readonly issuer: EngineIssuer;
  /** Moves time until the promise settles, for work that sleeps on the clock. */
  during<T>(work: Promise<T>): Promise<T>;
}

/** A type for which a test of the engine runs. */
export interface BenchType {
  /** For names of tests: the code, and the seed that chose it. */
  readonly name: string;
  readonly counter: Counter;
  /** A body to a foreign counterparty of that identification. It is dated today, and valid until the end of 2026. */
  bodyTo(counterpartyId?: string): DocumentBody;
}

let signer: Promise<Signer> | null = null;

/** One signer for a whole test file: making a key is the slow part. */
export function testSigner(): Promise<Signer> {
  signer ??= createTestSigner({ ruc: RUC, validFrom: new Date('2026-01-01'), validTo: new Date('2028-01-01') });
  return signer;
}

/** The test signer. @param before is called before each signature with its number, from 1; a throw fails the signature. */
export async function watchedSigner(before: (call: number) => void): Promise<Signer> {
  const real = await testSigner();
  let calls = 0;
  return {
    certificate: real.certificate,
    async sign(data, algorithm) {
      calls += 1;
      before(calls);
      return real.sign(data, algorithm);
    },
  };
}

export async function createBench({
  issuer: changed,
  authorizationDelayMs = 0,
  ...options
}: Partial<EngineOptions> & {
  readonly issuer?: Partial<EngineIssuer>;
  readonly authorizationDelayMs?: number;
} = {}): Promise<Bench> {
  const clock = createTestClock(START);
  const storage = options.storage ?? createMemoryStorage();
  const simulator = createSimulator({ clock, authorizationDelayMs });
  const issuer: EngineIssuer = {
    id: SCOPE.issuerId,
    ruc: RUC,
    businessName: 'Café & Cultura Ñandú Cía. Ltda.',
    mainAddress: 'Quito',
    branchCode: '001',
    issuePointCode: '002',
    requiredAccounting: true,
    signer: await testSigner(),
    ...changed,
  };
  const engine = createEngine({ issuers: [issuer], transport: simulator.handle, clock, ...options, storage });
  return {
    engine,
    storage,
    clock,
    simulator,
    issuer,
    async during(work) {
      let done = false;
      const settled = work.finally(() => {
        done = true;
      });
      settled.catch(() => {});
      // Signing and reading take real time. A clock that moves during them would time calls out.
      while (!done) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        await clock.advance(25);
      }
      return settled;
    },
  };
}

/** A document that the engine created and queued. */
export async function sent({ engine }: Pick<Bench, 'engine'>, body: DocumentBody): Promise<StoredDocument> {
  const { document } = await engine.create(SCOPE, body);
  return engine.send(SCOPE, document.accessKey);
}

/** A valid invoice of 11.50 to that buyer. */
export function invoiceBody(buyerId = 'AB123456', extra: Record<string, unknown> = {}) {
  const body: InvoiceBody = {
    documentType: '01',
    buyer: { idType: '06', id: buyerId, name: 'María Ñacata', email: 'maria@example.com' },
    items: [
      {
        mainCode: 'A-1',
        description: 'Café molido',
        quantity: '2',
        unitPrice: '5.00',
        taxes: [{ code: '2', rateCode: '4', rate: '15' }],
      },
    ],
    payments: [{ method: '01' }],
  };
  return { ...body, ...extra };
}

/** A credit note on that invoice, of the same lines. */
export function creditNoteBody(number = '001-002-000000001') {
  const { payments: _, ...sale } = invoiceBody();
  const originalDocument = { documentType: '01', number, issueDate: '21/11/2026' } as const;
  return { ...sale, documentType: '04', motivo: 'Devolución', originalDocument } as const;
}

/**
 * The invoice, and a second type by chance: for tests of what all types have in common. `DOCUMENT_SEED` repeats the choice.
 */
export const BENCH_TYPES: readonly BenchType[] = benchTypes(
  Number(process.env['DOCUMENT_SEED'] ?? Math.floor(Math.random() * 1_000_000)),
);

// --- internal ---

function benchTypes(seed: number): readonly BenchType[] {
  const others = DOCUMENT_TYPES.filter((code) => code !== DEFAULT_DOCUMENT_TYPE);
  const second = others[seed % others.length] ?? DEFAULT_DOCUMENT_TYPE;
  return [benchType(DEFAULT_DOCUMENT_TYPE), benchType(second, ` (DOCUMENT_SEED=${seed})`)];
}

function benchType(code: DocumentTypeCode, chosenBy = ''): BenchType {
  return {
    name: `${code}${chosenBy}`,
    counter: { ...SCOPE, documentType: code },
    bodyTo: (counterpartyId = 'AB123456') => bodyOf(code, { idType: '06', id: counterpartyId }),
  };
}

function bodyOf(code: DocumentTypeCode, party: { readonly idType: '06'; readonly id: string }): DocumentBody {
  const issueDate = null;
  switch (code) {
    case '01':
      return invoiceBody(party.id);
    case '03': {
      const { supplier } = PURCHASE_SETTLEMENT_EXAMPLE;
      return { ...PURCHASE_SETTLEMENT_EXAMPLE, issueDate, supplier: { ...supplier, ...party } };
    }
    case '04':
      return { ...CREDIT_NOTE_EXAMPLE, issueDate, buyer: { ...CREDIT_NOTE_EXAMPLE.buyer, ...party } };
    case '05':
      return { ...DEBIT_NOTE_EXAMPLE, issueDate, buyer: { ...DEBIT_NOTE_EXAMPLE.buyer, ...party } };
    case '06': {
      const [first] = DELIVERY_GUIDE_EXAMPLE.recipients;
      const journey = { startDate: '31/12/2026', endDate: '31/12/2026' };
      return { ...DELIVERY_GUIDE_EXAMPLE, ...journey, issueDate, recipients: [{ ...first, id: party.id }] };
    }
    case '07': {
      const { subject } = WITHHOLDING_EXAMPLE;
      return { ...WITHHOLDING_EXAMPLE, issueDate, subject: { ...subject, ...party }, fiscalPeriod: null };
    }
  }
}
