import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Client } from './client.js';
import type { DebitNoteBody } from './documents/debit-note/body.js';
import { DELIVERY_GUIDE_EXAMPLE as GUIDE } from './documents/delivery-guide/examples.js';
import type { PreparedDeliveryGuide } from './documents/delivery-guide/prepare.js';
import type { InvoiceBody } from './documents/invoice/body.js';
import { prepareDocument } from './documents/prepare.js';
import type { DocumentBody, DocumentTypeCode } from './documents/registry.js';
import { WITHHOLDING_EXAMPLE } from './documents/withholding/examples.js';
import type { Engine } from './engine.js';
import type { RebuildOptions } from './lifecycle/rebuild.js';
import type { signDocument } from './lifecycle/sign-document.js';
import { CONTEXT } from './testing/judged-bodies.js';

type Of<Body, Code extends DocumentTypeCode> = Extract<Body, { readonly documentType: Code }>;
type ClientBody = Parameters<Client['documents']['create']>[0];

describe('the type of a body', () => {
  it('the type of a body follows from documentType, in every call that takes one', () => {
    expectTypeOf<Parameters<typeof signDocument>[0]>().toEqualTypeOf<DocumentBody>();
    expectTypeOf<Parameters<Engine['create']>[1]>().toEqualTypeOf<DocumentBody>();
    expectTypeOf<Parameters<Engine['issue']>[1]>().toEqualTypeOf<DocumentBody>();
    expectTypeOf<NonNullable<RebuildOptions['body']>>().toEqualTypeOf<DocumentBody>();
    expectTypeOf<DocumentBody['documentType']>().toEqualTypeOf<DocumentTypeCode>();
    expectTypeOf<Of<DocumentBody, '01'>>().toEqualTypeOf<InvoiceBody>();
    expectTypeOf<Of<DocumentBody, '05'>>().toEqualTypeOf<DebitNoteBody>();
  });

  it('a call accepts an idempotency key that may be undefined, as an optional field of an order is', () => {
    expectTypeOf<{ idempotencyKey: string | undefined }>().toExtend<NonNullable<Parameters<Engine['create']>[2]>>();
    expectTypeOf<{ idempotencyKey: string | undefined }>().toExtend<NonNullable<Parameters<Engine['issue']>[2]>>();
  });

  it('the type of a body follows from documentType in the client too', () => {
    expectTypeOf<ClientBody['documentType']>().toEqualTypeOf<DocumentTypeCode>();
    expectTypeOf<Of<ClientBody, '05'>>().toHaveProperty('reasons');
    expectTypeOf<Of<ClientBody, '05'>>().not.toHaveProperty('items');
    expectTypeOf<Of<ClientBody, '06'>>().toHaveProperty('recipients');
    expectTypeOf<Of<ClientBody, '06'>>().not.toHaveProperty('payments');
  });

  it('the compiler refuses a field of another type by its name', () => {
    const typed = (body: DocumentBody) => body;
    const toClient = (body: ClientBody) => body;
    expect(typed(GUIDE).documentType).toBe('06');
    // @ts-expect-error A delivery guide has no lines of its own.
    expect(typed({ ...GUIDE, items: [] })).toHaveProperty('items');
    // @ts-expect-error A delivery guide has no payments.
    expect(typed({ ...GUIDE, payments: [] })).toHaveProperty('payments');
    // @ts-expect-error A withholding has supporting documents, not lines.
    expect(typed({ ...WITHHOLDING_EXAMPLE, items: [] })).toHaveProperty('items');
    // @ts-expect-error A recipient has no e-mail as a number.
    expect(typed({ ...GUIDE, recipients: [{ ...GUIDE.recipients[0], email: 1 }] })).toHaveProperty('recipients');
    // @ts-expect-error A type that does not exist.
    expect(typed({ ...GUIDE, documentType: '02' })).toHaveProperty('documentType', '02');
    // @ts-expect-error A debit note has reasons, not lines.
    expect(toClient({ documentType: '05', items: [] })).toHaveProperty('items');
  });

  it('the type of a body leads to the validated document of that type', () => {
    const prepared = prepareDocument(GUIDE, CONTEXT);
    expectTypeOf(prepared).toEqualTypeOf<PreparedDeliveryGuide>();
    expect(prepared.recipients).toHaveLength(2);
  });
});

it('a RIDE is the body of an answer and a part of a Blob in the types of a browser', () => {
  expectTypeOf<Awaited<ReturnType<Engine['ride']>>>().toEqualTypeOf<Uint8Array<ArrayBuffer>>();
  expectTypeOf<Awaited<ReturnType<Engine['preview']>>['ridePdf']>().toEqualTypeOf<Uint8Array<ArrayBuffer> | null>();
  expectTypeOf<Awaited<ReturnType<Client['documents']['ride']>>>().toEqualTypeOf<Uint8Array<ArrayBuffer>>();
});
