import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DOCUMENT_TYPES, DOCUMENTS, uncheckedBody } from '../documents/registry.js';
import { createBench, invoiceBody, SCOPE, testSigner } from '../testing/engine-bench.js';

const EXAMPLES = DOCUMENT_TYPES.flatMap((code) =>
  DOCUMENTS[code].examples.map((body, index) => ({ code, index, body: uncheckedBody(body) })),
);

/** Number and key, as a preview has them. */
function unnumbered(signedXml: string): string {
  return signedXml
    .replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, '')
    .replace(/<secuencial>\d{9}</, '<secuencial>000000000<')
    .replace(
      /<claveAcceso>(\d{30})\d{17}(\d)\d</,
      (_, before, emission) => `<claveAcceso>${before}${'0'.repeat(17)}${emission}?<`,
    );
}

describe('a preview', () => {
  it.each(EXAMPLES)(
    'a preview equals the document that `create` makes, except for the number: $code, example $index',
    async ({ body }) => {
      const { engine } = await createBench();
      const preview = await engine.preview(SCOPE, body);
      const { document, warnings } = await engine.create(SCOPE, body);
      const { signedXml } = await engine.contents(SCOPE, document.accessKey);
      expect(preview.xml.replace(/\d<\/claveAcceso>/, '?</claveAcceso>')).toBe(unnumbered(signedXml));
      expect(preview).toMatchObject({
        document: {
          documentType: document.documentType,
          issueDate: document.issueDate,
          counterparty: document.counterparty,
          copies: document.copies,
          modifies: document.modifies,
          total: document.total,
        },
        warnings,
        ridePdf: null,
      });
      const strong = preview.document.sums.filter((row) => row.strong).map(({ amount }) => amount);
      expect(strong).toEqual(DOCUMENTS[document.documentType].texts.total === null ? [] : [document.total]);
    },
  );

  it('a preview names a day of another form', async () => {
    const { engine } = await createBench();
    const preview = engine.preview(SCOPE, invoiceBody(), { day: '20/11/2026' as never });
    await expect(preview).rejects.toThrow('day has to be a day in the form YYYY-MM-DD.');
  });

  it('a preview has the day of a document that keeps it', async () => {
    const { engine } = await createBench();
    const { document } = await engine.preview(SCOPE, invoiceBody(), { day: '2026-11-20' });
    expect(document.issueDate).toBe('2026-11-20');
  });

  it('a preview takes no number, stores nothing, and asks for no signature', async () => {
    const { certificate } = await testSigner();
    const signer = { certificate, sign: () => Promise.reject(new Error('The signer was asked.')) };
    const logo = readFileSync(new URL('../../fixtures/ride/logo-baseline.jpg', import.meta.url));
    const { engine } = await createBench({ issuer: { signer, logo } });
    const { xml, ridePdf } = await engine.preview(SCOPE, invoiceBody(), { ride: true });
    expect(xml).not.toContain('Signature');
    expect(Buffer.from(ridePdf ?? []).toString('latin1')).toMatch(/^%PDF-[\s\S]*\/Subtype \/Image/);
    expect(await engine.nextSequential({ ...SCOPE, documentType: '01' })).toBe(1);
    expect(await engine.list(SCOPE, { page: 1, limit: 10 })).toEqual({ documents: [], total: 0 });
    expect(await engine.tick()).toBe(0);
  });

  it('a preview has the warnings of the body, and a RIDE without a picture where the issuer has none', async () => {
    const { engine } = await createBench();
    const [item] = invoiceBody().items;
    const items = [{ ...item, taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '99.00' }] }];
    const { warnings, ridePdf } = await engine.preview(SCOPE, uncheckedBody({ ...invoiceBody(), items }), {
      ride: true,
    });
    expect(warnings).toMatchObject([{ code: 'LINE_BASE_MISMATCH' }]);
    expect(Buffer.from(ridePdf ?? []).toString('latin1')).not.toContain('/Subtype /Image');
  });

  const item = invoiceBody().items[0];
  const many = (count: number) => ({ ...invoiceBody(), items: Array.from({ length: count }, () => item) });
  it.each([
    { name: 'a wrong body, all at once', body: { documentType: '01', buyer: { idType: '99' }, items: [] } },
    { name: 'a type that does not exist', body: { documentType: '99' } },
    { name: 'a paused issuer', issuer: { canIssue: false } },
    { name: 'a type that is not enabled', issuer: { documentTypes: ['04'] as const } },
    { name: 'another issuer', scope: { ...SCOPE, issuerId: 'none' } },
    { name: 'an expired certificate', now: '2028-01-02T15:00:00Z' },
    { name: 'a certificate of tomorrow', now: '2025-12-31T15:00:00Z' },
    { name: 'a file too large for the SRI', body: many(1_000) },
  ])('a preview is refused like a create: $name', async ({ body = invoiceBody(), issuer = {}, scope = SCOPE, now }) => {
    const { engine, clock } = await createBench({ issuer });
    if (now) clock.set(now);
    const refusalOf = (work: Promise<unknown>) =>
      work.then(
        () => expect.fail('It was not refused.'),
        (error) => ({ ...error, code: error.code, message: error.message }),
      );
    const refusal = await refusalOf(engine.create(scope, uncheckedBody(body)));
    expect(await refusalOf(engine.preview(scope, uncheckedBody(body), { ride: true }))).toEqual(refusal);
  });
});
