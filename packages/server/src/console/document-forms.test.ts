import { DOCUMENT_TYPES, DOCUMENTS, prepareDocument } from 'sri-core';
import { describe, expect, it } from 'vitest';

type Draft = Record<string, unknown>;
interface Original {
  readonly type: string;
  readonly number: string;
  readonly issueDate: string;
  readonly authorizationNumber: string | null;
  readonly body: Draft;
  readonly issuer: { readonly branchAddress: string } | null;
}

const load = async (name: string) => import(new URL(`../../console/${name}`, import.meta.url).href);
/** The modules as the console's pages load them. */
const { DOCUMENT_FORMS, newBody, toDocumentBody } = (await load('document-forms.js')) as {
  DOCUMENT_FORMS: Readonly<
    Record<string, { readonly fields: readonly unknown[]; readonly on: Record<string, unknown> }>
  >;
  newBody: (type: string, original: Original | null) => Draft;
  toDocumentBody: (type: string, draft: Draft) => Draft | null;
};
const { openDraft } = (await load('form-body.js')) as { openDraft: (fields: readonly unknown[], body: Draft) => Draft };

/** What the form sends when one opens a body and changes nothing. */
const unchanged = (type: string, body: Draft) =>
  toDocumentBody(type, openDraft(DOCUMENT_FORMS[type]?.fields ?? [], body));

const ISSUER = {
  ruc: '9999999999001',
  businessName: '-',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: false,
};

/** The body as the server reads it. */
const prepared = (body: unknown) => prepareDocument(body, { issuer: ISSUER, today: '2026-11-21' });
const types = DOCUMENT_TYPES.filter((type) => type in DOCUMENT_FORMS);
const examples = types.flatMap((type) =>
  DOCUMENTS[type].examples.map((body, index) => ({ type, index, body: body as unknown as Draft })),
);

describe('the forms of the console', () => {
  it('exist for every type of document', () => {
    expect(Object.keys(DOCUMENT_FORMS).toSorted()).toEqual([...DOCUMENT_TYPES]);
  });

  it.each(examples)('keep the whole body of example $index of $type', ({ type, body }) => {
    const sent = unchanged(type, body);
    expect(prepared(sent)).toEqual(prepared(body));
    // A form that holds what it sent sends the same.
    expect(unchanged(type, sent as Draft)).toEqual(sent);
  });

  it.each(examples)('copy example $index of $type with another date', ({ type, body }) => {
    const original = { type, number: '001-001-000000001', issueDate: '20/11/2026', authorizationNumber: null, body };
    const copy = newBody(type, { ...original, issuer: null });
    expect(copy).not.toHaveProperty('issueDate');
    expect(Object.keys({ ...copy, issueDate: '' })).toEqual(expect.arrayContaining(['documentType']));
  });
});
