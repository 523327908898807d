import { describe, expect, it } from 'vitest';
import { toIsoDate } from '../calendar.js';
import { prepareDocument } from '../documents/prepare.js';
import type { PurchaseSettlementComprobante } from '../documents/purchase-settlement/xml.js';
import { readComprobante } from '../documents/read-comprobante.js';
import { documentTypeOf } from '../documents/registry.js';
import type { WithholdingBody } from '../documents/withholding/body.js';
import { write } from '../testing/judged-bodies.js';
import { SAMPLE_ISSUER } from '../testing/sample-bodies.js';
import { type WithholdableComprobante, withholdingDraft } from './withholding-draft.js';

const TODAY = '2026-11-21';
const TAX = { code: '2', rateCode: '4', rate: '15', taxableBase: '10.00', taxAmount: '1.50' };

function received(code: '01' | '03' | '05', example = 0, change = (xml: string) => xml): WithholdableComprobante {
  const body = documentTypeOf(code).examples[example];
  return readComprobante(change(write(body))) as WithholdableComprobante;
}

/** The draft with the fields that its issuer adds. Its type is that of a body for `create`. */
function filled(document: WithholdableComprobante): WithholdingBody {
  const { body, bases } = withholdingDraft(document);
  const [support] = body.supportingDocuments;
  const base = bases.incomeTax ?? '0';
  return {
    ...body,
    subject: {
      ...body.subject,
      email: 'proveedor@example.com',
      ...(body.subject.idType === '08' ? { kind: '02' } : {}),
    },
    supportingDocuments: [
      { ...support, supportCode: '02', withholdings: [{ tax: '1', code: '312', taxableBase: base, rate: '2' }] },
    ],
  };
}

describe('withholdingDraft', () => {
  it('a draft has the content of its invoice', () => {
    const invoice = received('01');
    expect(withholdingDraft(invoice)).toEqual({
      body: {
        documentType: '07',
        subject: {
          idType: '04',
          id: '1790012345001',
          name: 'Café Andino S.A.',
          address: 'Av. Amazonas N21-147, Quito',
        },
        supportingDocuments: [
          {
            documentType: '01',
            number: '001-001-000000007',
            issueDate: '21/11/2026',
            authorizationNumber: invoice.accessKey,
            subtotal: '14.50',
            total: '16.68',
            taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '14.50', taxAmount: '2.18' }],
            payments: [{ method: '20', total: '16.68' }],
          },
        ],
      },
      bases: { incomeTax: '14.50', iva: '2.18' },
      missing: [
        { field: 'subject.email', about: expect.anything() },
        { field: 'supportingDocuments[0].supportCode', about: expect.anything() },
        { field: 'supportingDocuments[0].withholdings', about: expect.anything() },
      ],
    });
  });

  it('a draft has the supplier of a settlement as its subject', () => {
    const settlement = received('03');
    expect(withholdingDraft(settlement).body.subject).toMatchObject(
      settlement.documentType === '03' ? { id: settlement.supplier.id, name: settlement.supplier.name } : {},
    );
    const unknown = {
      ...settlement,
      supplier: { idType: '09', id: 'X', name: 'X', address: null },
    } as typeof settlement;
    expect(withholdingDraft(unknown).body.subject.idType).toBe('08');
  });

  const all = (['01', '03', '05'] as const).flatMap((code) =>
    documentTypeOf(code).examples.map((_, index) => ({ code, index })),
  );

  it.each(all)('the draft of example $index of type $code is a valid body once it is filled', ({ code, index }) => {
    const document = received(code, index);
    const { missing } = withholdingDraft(document);
    const isComplete = missing.every(({ field }) => /email|kind|supportCode|withholdings/.test(field));
    expect(isComplete).toBe(true);
    const prepared = prepareDocument(filled(document), { issuer: SAMPLE_ISSUER, today: TODAY, strict: true });
    expect(prepared).toMatchObject({ documentType: '07', issueDate: toIsoDate(document.issueDate) });
  });

  it('a draft subtracts a discount on the whole document', () => {
    const invoice = received('01');
    const [tax] = invoice.taxes;
    const discounted = {
      ...invoice,
      taxes: [{ ...tax, additionalDiscount: '4.50', taxableBase: '10.00', taxAmount: '1.50' }],
      total: '11.50',
      payments: [{ method: '20', total: '11.50', term: null, termUnit: null }],
    } as WithholdableComprobante;
    const { body, bases } = withholdingDraft(discounted);
    expect(bases).toEqual({ incomeTax: '10.00', iva: '1.50' });
    expect(body.supportingDocuments[0]).toMatchObject({
      subtotal: '10.00',
      total: '11.50',
      payments: [{ method: '20', total: '11.50' }],
    });
  });

  it('a draft has the rate of a line where the sum of a tax has none', () => {
    const ice = '<codigo>3</codigo><codigoPorcentaje>3092</codigoPorcentaje>';
    const amounts = '<baseImponible>10.00</baseImponible><valor>1.50</valor>';
    const invoice = received('01', 0, (xml) =>
      xml
        .replace('<totalImpuesto>', `<totalImpuesto>${ice}${amounts}</totalImpuesto><totalImpuesto>`)
        .replace('<impuesto>', `<impuesto>${ice}<tarifa>15.00</tarifa>${amounts}</impuesto><impuesto>`),
    );
    const [tax] = withholdingDraft(invoice).body.supportingDocuments[0].taxes;
    expect(tax).toEqual({ code: '3', rateCode: '3092', rate: '15', taxableBase: '10.00', taxAmount: '1.50' });
  });

  it('a draft asks for taxes and payments that it cannot know', () => {
    const invoice = received('01');
    const odd = {
      ...invoice,
      taxes: invoice.taxes.map((tax) => ({ ...tax, rateCode: '99' })),
      payments: [{ method: '77', total: '1', term: null, termUnit: null }],
    } as WithholdableComprobante;
    const { body, missing } = withholdingDraft(odd);
    expect(body.supportingDocuments[0]).toMatchObject({ taxes: [], payments: [] });
    expect(body.supportingDocuments[0]).not.toHaveProperty('total');
    expect(missing.map(({ field }) => field)).toContain('supportingDocuments[0].taxes');
    expect(missing.map(({ field }) => field)).toContain('supportingDocuments[0].payments');
  });

  it('a draft asks for payments whose sum has a tip, and for taxes whose rate it cannot state', () => {
    const invoice = received('01');
    const payment = { term: null, termUnit: null };
    const tipped = {
      ...invoice,
      tip: '1.00',
      total: '17.68',
      payments: [
        { ...payment, method: '19', total: '10.00' },
        { ...payment, method: '01', total: '7.68' },
      ],
    } as WithholdableComprobante;
    expect(withholdingDraft(tipped).missing.map(({ field }) => field)).toContain('supportingDocuments[0].payments');
    for (const rate of ['10.41', null]) {
      const ice = { code: '3', rateCode: '3073', rate, taxableBase: '14.50', taxAmount: '1.51' };
      const draft = withholdingDraft({ ...invoice, taxes: [...invoice.taxes, ice] } as WithholdableComprobante);
      expect(draft.missing.map(({ field }) => field)).toContain('supportingDocuments[0].taxes');
      expect(draft.body.supportingDocuments[0].taxes).toHaveLength(1);
      expect(draft.bases.iva).toBe('2.18');
    }
    const untaxed = withholdingDraft({ ...invoice, taxes: [] });
    expect(untaxed.missing.map(({ field }) => field)).toContain('supportingDocuments[0].taxes');
  });

  it('a draft takes over reimbursed documents from a heading without their type and sums', () => {
    const bare = received('03', 2, (xml) => xml.replace(/<codDocReembolso>41<.*<\/totalImpuestoReembolso>/, ''));
    expect(bare).toMatchObject({ reimbursement: { documentType: '', total: null } });
    expect(withholdingDraft(bare).body).toEqual(withholdingDraft(received('03', 2)).body);
  });

  it.each([
    { about: 'a type beyond the tables', change: { documentType: '370' } },
    { about: 'a tax beyond the tables', change: { taxes: [{ ...TAX, code: '9' }] } },
  ])('a draft asks for a reimbursed document with $about', ({ change }) => {
    const whole = received('03', 2) as PurchaseSettlementComprobante;
    const known = whole.reimbursement?.documents ?? [];
    const field = 'supportingDocuments[0].reimbursements';
    expect(known.length).toBeGreaterThan(0);
    const draftOf = (documents: typeof known) =>
      withholdingDraft({ ...whole, reimbursement: whole.reimbursement && { ...whole.reimbursement, documents } });
    expect(draftOf(known).missing.map((missing) => missing.field)).not.toContain(field);
    const unknown = known.map((document) => ({ ...document, ...change }));
    const part = draftOf([...known, ...unknown]);
    expect(part.missing.map((missing) => missing.field)).toContain(field);
    expect(part.body.supportingDocuments[0].reimbursements).toHaveLength(known.length);
    for (const none of [draftOf(unknown), draftOf([])]) {
      expect(none.body.supportingDocuments[0]).toMatchObject({ documentType: '41' });
      expect(none.missing.map((missing) => missing.field)).toContain(field);
    }
  });
});
