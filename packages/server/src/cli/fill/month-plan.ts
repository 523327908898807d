import { buildAccessKey, type DocumentType, toIsoDate, toIssueDate } from 'sri-core';
import { CUSTOMERS, GROWERS, PRODUCTS, type SampleParty, type SampleProduct, SUPPLIERS } from './sample-shop.js';
import { createSeededChoice, type SeededChoice } from './seeded-choice.js';

/** What becomes of a planned document: most are authorized. */
export type Fate = 'authorized' | 'refused' | 'voided' | 'unsent' | 'waiting';

/** An invoice of the month that later documents refer to. */
export interface EarlierInvoice {
  /** `001-001-000000123` */
  readonly number: string;
  readonly accessKey: string;
  /** DD/MM/YYYY */
  readonly issueDate: string;
  readonly body: InvoiceBody;
}

/** A document of the month. */
export interface PlannedDocument {
  readonly at: Date;
  readonly fate: Fate;
  /**
   * Its creation body, without the sums that follow.
   *
   * @param issueDate its day, DD/MM/YYYY. @param invoices the authorized invoices before it, of customers with a name.
   */
  write(issueDate: string, invoices: readonly EarlierInvoice[]): Readonly<Record<string, unknown>>;
}

/** The month to plan. */
export interface MonthRequest {
  readonly seed: number;
  readonly count: number;
  /** The first moment; days before the last one get most documents. */
  readonly from: Date;
  /** The last moment: documents that wait are of this day. */
  readonly to: Date;
  /** The types that the issuer may issue. */
  readonly types: readonly DocumentType[];
}

type InvoiceBody = ReturnType<typeof writeInvoice>;

/** Plans a month of a shop's documents, in the order of their time. A seed always plans the same documents. */
export function planMonth({ seed, count, from, to, types }: MonthRequest): readonly PlannedDocument[] {
  const choice = createSeededChoice(seed);
  const shares = SHARES.filter(([, type]) => types.includes(type));
  const slots = Array.from({ length: count }, (_, index) => {
    const waits = index < Math.max(2, Math.floor(count * WAITING_SHARE));
    // Opening hours: from 8 to 18 in Ecuador, which is five hours behind UTC.
    const days = Math.max(0, Math.floor((to.getTime() - from.getTime()) / DAY_MS) - 1);
    const minute = choice.whole(0, 10 * 60 - 1);
    const day = choice.whole(0, days);
    const opening = startOfDay(from) + day * DAY_MS + 13 * HOUR_MS;
    const planned = opening + minute * MINUTE_MS;
    // A past hour of the first day moves to the next day, since documents of one moment have no order.
    const open = planned < from.getTime() ? planned + DAY_MS : planned;
    const settled = Math.max(Math.min(open, to.getTime() - HOUR_MS), from.getTime());
    return { waits, at: new Date(waits ? to.getTime() - (index + 1) * MINUTE_MS : settled) };
  }).toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return slots.map(({ at, waits }, index) => {
    // Later documents refer to the first, and the magic buyers of those that wait are in invoices.
    const isInvoice = (waits || index === 0) && types.includes(INVOICE);
    const type = isInvoice ? INVOICE : choice.weighed(shares);
    const fate = waits ? (index % 2 === 0 ? 'waiting' : 'unsent') : choice.weighed<Fate>(FATES[type] ?? USUAL_FATES);
    const planned = { choice: createSeededChoice(choice.whole(0, 2 ** 31)), fate };
    return { at, fate, write: (issueDate, invoices) => WRITERS[type](planned, issueDate, invoices) };
  });
}

// --- internal ---

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WAITING_SHARE = 0.03;

const INVOICE = '01' satisfies DocumentType;

const SHARES: readonly (readonly [weight: number, type: DocumentType])[] = [
  [62, INVOICE],
  [6, '03'],
  [8, '04'],
  [4, '05'],
  [10, '06'],
  [10, '07'],
];

/** The start of the day in Ecuador, expressed as a moment in UTC. */
function startOfDay(moment: Date): number {
  return Math.floor((moment.getTime() - 5 * HOUR_MS) / DAY_MS) * DAY_MS;
}

/** Of the types whose magic counterparties the simulated SRI refuses. */
const FATES: Partial<Readonly<Record<DocumentType, readonly (readonly [weight: number, fate: Fate])[]>>> = {
  [INVOICE]: [
    [90, 'authorized'],
    [6, 'refused'],
    [4, 'voided'],
  ],
};
const USUAL_FATES: readonly (readonly [weight: number, fate: Fate])[] = [
  [97, 'authorized'],
  [3, 'voided'],
];

interface Planned {
  readonly choice: SeededChoice;
  readonly fate: Fate;
}

type Writer = (
  planned: Planned,
  ...write: Parameters<PlannedDocument['write']>
) => ReturnType<PlannedDocument['write']>;

/** Buyers whose documents the simulated SRI returns, refuses or leaves in process. */
const REFUSED_BUYERS = ['SRI-RETURNED-35', 'SRI-RETURNED-45', 'SRI-REFUSED-39', 'SRI-REFUSED-52'] as const;
const WAITING_BUYER = 'SRI-NEVER';
const VISITORS = ['Andrew Miller', 'Sophie Laurent', 'Kenji Watanabe', 'Anna Kowalska'] as const;

const UNNAMED = { idType: '07', id: '9999999999999', name: 'CONSUMIDOR FINAL', email: 'caja@example.com' } as const;

const WRITERS: Readonly<Record<DocumentType, Writer>> = {
  '01': writeInvoice,
  '03': ({ choice }) => writeSettlement(choice),
  '04': (planned, _issueDate, invoices) => {
    const invoice = lastOf(invoices, planned.choice);
    return invoice ? writeCreditNote(invoice, planned.choice) : writeInvoice(planned);
  },
  '05': (planned, _issueDate, invoices) => {
    const invoice = lastOf(invoices, planned.choice);
    return invoice ? writeDebitNote(invoice, planned.choice) : writeInvoice(planned);
  },
  '06': ({ choice }, issueDate, invoices) => writeGuide(issueDate, lastOf(invoices, choice), choice),
  '07': ({ choice }, issueDate) => writeWithholding(issueDate, choice),
};

/** One of the latest invoices. */
function lastOf(invoices: readonly EarlierInvoice[], choice: SeededChoice): EarlierInvoice | null {
  return invoices[Math.max(0, invoices.length - choice.whole(1, 8))] ?? null;
}

function chooseBuyer({ choice, fate }: Planned) {
  const visitor = { idType: '06', name: choice.one(VISITORS), email: 'visita@example.com' } as const;
  if (fate === 'refused') return { ...visitor, id: choice.one(REFUSED_BUYERS) };
  if (fate === 'waiting') return { ...visitor, id: WAITING_BUYER };
  return choice.next() < 0.25 ? UNNAMED : choice.one<SampleParty>(CUSTOMERS);
}

function taxOf({ rateCode, rate }: SampleProduct) {
  return [{ code: '2', rateCode, rate }];
}

function writeInvoice(planned: Planned) {
  const { choice } = planned;
  const buyer = chooseBuyer(planned);
  // A purchase without a name is small.
  const lines = buyer.idType === '07' ? 1 : choice.whole(1, 4);
  const first = choice.whole(0, PRODUCTS.length - 1);
  const items = Array.from({ length: lines }, (_, index) => {
    const product = PRODUCTS[(first + index * 3) % PRODUCTS.length] ?? PRODUCTS[0];
    const { mainCode, description, unitPrice, most } = product;
    const quantity = String(buyer.idType === '07' ? 1 : choice.whole(1, most));
    return { mainCode, description, quantity, unitPrice, taxes: taxOf(product) };
  });
  const method = choice.weighed([
    [5, '01'],
    [3, '19'],
    [2, '20'],
  ] as const);
  return { documentType: '01', buyer, items, payments: [{ method }] };
}

function writeSettlement(choice: SeededChoice) {
  const supplier = choice.one<SampleParty>(GROWERS);
  const item = {
    mainCode: 'ACO-01',
    description: 'Café pergamino, quintal',
    unitPrice: `${choice.whole(180, 240)}.00`,
  };
  const quantity = String(choice.whole(1, 6));
  return {
    documentType: '03',
    supplier,
    items: [{ ...item, quantity, taxes: [{ code: '2', rateCode: '0', rate: '0' }] }],
    payments: [{ method: '20' }],
  };
}

function originalOf({ number, issueDate }: EarlierInvoice) {
  return { documentType: '01', number, issueDate };
}

function writeCreditNote(invoice: EarlierInvoice, choice: SeededChoice) {
  const { buyer, items } = invoice.body;
  return {
    documentType: '04',
    buyer,
    originalDocument: originalOf(invoice),
    motivo: choice.one(['Devolución de mercadería', 'Producto en mal estado', 'Descuento por volumen']),
    items: items.slice(0, 1).map((item) => ({ ...item, quantity: '1' })),
  };
}

function writeDebitNote(invoice: EarlierInvoice, choice: SeededChoice) {
  const amount = `${choice.whole(3, 25)}.00`;
  return {
    documentType: '05',
    buyer: invoice.body.buyer,
    originalDocument: originalOf(invoice),
    reasons: [{ reason: 'Interés por mora', amount, taxes: [{ code: '2', rateCode: '0', rate: '0' }] }],
    payments: [{ method: '20' }],
  };
}

function writeGuide(issueDate: string, invoice: EarlierInvoice | null, choice: SeededChoice) {
  const { id, name, address, email } = choice.one<SampleParty>(CUSTOMERS);
  const sold = invoice?.body.items.map(({ mainCode, description, quantity }) => ({ mainCode, description, quantity }));
  const goods = invoice ? { reason: 'Venta', supportingDocument: supportOf(invoice) } : { reason: 'Consignación' };
  const { buyer } = invoice?.body ?? {};
  return {
    documentType: '06',
    carrier: { idType: '05', id: GROWERS[0].id, name: 'Transportes Peña Hermanos', email: 'carga@example.com' },
    licensePlate: choice.one(['PBA1234', 'ABC0123', 'LBA4471']),
    departureAddress: 'Calle Loja 5-20, Cuenca',
    startDate: issueDate,
    endDate: issueDate,
    recipients: [
      {
        ...(buyer ? { id: buyer.id, name: buyer.name, email: buyer.email } : { id, name, email }),
        address: buyer && 'address' in buyer ? buyer.address : address,
        ...goods,
        items: sold ?? [{ mainCode: 'CAF-KG', description: 'Café en grano de Zaruma, kilo', quantity: '10' }],
      },
    ],
  };
}

function supportOf({ number, accessKey, issueDate }: EarlierInvoice) {
  return { documentType: '01', number, authorizationNumber: accessKey, issueDate };
}

/** A withholding on a purchase of the same day: goods, or services. */
function writeWithholding(issueDate: string, choice: SeededChoice) {
  const supplier = choice.one<SampleParty>(SUPPLIERS);
  const isService = choice.next() < 0.4;
  const base = choice.whole(40, 900);
  const sequential = choice.whole(100, 99_999);
  const taxableBase = `${base}.00`;
  const iva = ((base * 15) / 100).toFixed(2);
  const key = {
    issueDate,
    documentType: '01',
    ruc: supplier.id,
    environment: 'sandbox',
    branchCode: '001',
    issuePointCode: '002',
    sequential,
    numericCode: String(choice.whole(10_000_000, 99_999_999)),
  } as const;
  const { address: _, ...subject } = supplier;
  return {
    documentType: '07',
    subject,
    supportingDocuments: [
      {
        supportCode: '01',
        documentType: '01',
        number: `001-002-${String(sequential).padStart(9, '0')}`,
        issueDate: toIssueDate(toIsoDate(issueDate) ?? issueDate),
        authorizationNumber: buildAccessKey(key),
        taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase }],
        withholdings: [
          { tax: '1', code: isService ? '3440' : '312', taxableBase, rate: isService ? '3' : '2' },
          { tax: '2', code: isService ? '2' : '1', taxableBase: iva, rate: isService ? '70' : '30' },
        ],
        payments: [{ method: '20' }],
      },
    ],
  };
}
