import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { certificateText, references, signed, swap } from '../testing/signed-sample.js';
import { canonicalize } from '../xml/c14n.js';
import { findElements } from '../xml/elements.js';
import { parseDom } from '../xml/reader.js';
import { verifyXml } from './verify.js';
import { DS } from './xmldsig.js';

describe('hostile input', () => {
  it('reports hostile input, and never throws', async () => {
    const tokens = signed.split(/(?=[<>"=&])|(?<=[<>"=&])/);
    const edit = fc.record({
      at: fc.nat({ max: tokens.length - 1 }),
      what: fc.oneof(
        fc.constantFrom(
          '',
          '<',
          '>',
          '&',
          '"',
          '<!--x-->',
          '<![CDATA[',
          ']]>',
          '<a/>',
          '</factura>',
          '\u0000',
          'Id="Signature"',
        ),
        fc.string({ unit: 'binary', maxLength: 5 }),
        fc.nat({ max: tokens.length - 1 }).map((index) => tokens[index] ?? ''),
      ),
      cut: fc.nat({ max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const changed = [...tokens];
        for (const { at, what, cut } of edits) changed.splice(at, cut, what);
        const report = await verifyXml(changed.join(''));
        if (report.valid) expect(content(changed.join(''))).toBe(content(signed));
      }),
      { numRuns: 1500 },
    );
  });

  const fill = (unit: string) => unit.repeat(Math.floor(400_000 / unit.length));
  it.each([
    { name: 'elements', xml: swap(signed, '<a>', `<a>${fill('<b/>')}`) },
    { name: 'namespaces', xml: swap(signed, '<a>', `<a>${fill('<b xmlns="urn:a" xmlns:p="urn:b"/>')}`) },
    {
      name: 'prefixes',
      xml: swap(signed, '<a>', `<a>${Array.from({ length: 9000 }, (_, n) => `<b xmlns:p${n}="urn:b"/>`).join('')}`),
    },
    {
      name: 'attributes',
      xml: swap(signed, '<a>', `<a>${`<b ${Array.from({ length: 9000 }, (_, n) => `a${n}="x"`).join(' ')}/>`}`),
    },
    { name: 'ids', xml: swap(signed, '<a>', `<a>${fill('<b id="x"/>')}`) },
    { name: 'comments before the root', xml: swap(signed, '<factura', `${fill('<!---->')}<factura`) },
    { name: 'references', xml: swap(signed, references.keyInfo, fill(references.keyInfo)) },
    {
      name: 'certificates',
      xml: swap(
        signed,
        /<ds:X509Certificate>.*<\/ds:X509Certificate>/,
        fill(`<ds:X509Certificate>${certificateText}</ds:X509Certificate>`),
      ),
    },
    { name: 'beginnings of a tag in CDATA', xml: swap(signed, '<a>', `<a><![CDATA[${fill('<Modulus ')}]]>`) },
    { name: 'nesting', xml: swap(signed, '<a>', fill('<a>')) },
    { name: 'an open tag', xml: swap(signed, '<a>', `<a ${fill('b=')}`) },
    { name: 'blanks', xml: swap(signed, '<a>', `<a ${fill(' ')}`) },
    { name: 'an issuer name', xml: swap(signed, /<ds:X509IssuerName>/, `<ds:X509IssuerName>${fill('CN=\\\\"')}`) },
    { name: 'a serial number', xml: swap(signed, /<ds:X509SerialNumber>/, `<ds:X509SerialNumber>${fill('9')}`) },
    { name: 'base64', xml: swap(signed, /<ds:SignatureValue[^>]*>/, `<ds:SignatureValue>${fill('AAAA ')}`) },
  ])('rejects too many or too long $name quickly', async ({ xml }) => {
    const before = process.cpuUsage(); // CPU time, since the clock also counts other processes
    const { valid } = await verifyXml(xml);
    expect(valid).toBe(false);
    // Some tens to hundreds of milliseconds; quadratic time would be minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});

// --- internal ---

/** The content of a document for a reader, without comments. */
function content(xml: string): string {
  const root = parseDom(xml.replace(/^\ufeff/, ''), 1e6);
  const [found] = findElements(root, DS, 'Signature');
  return found ? canonicalize(root, { omit: found }) : '';
}
