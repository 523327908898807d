import { afterEach, describe, expect, it } from 'vitest';
import { ValidationError } from '../errors.js';
import { CONTEXT } from '../testing/judged-bodies.js';
import { hasSchemas, schemaComplaints } from '../testing/official-schemas.js';
import { SAMPLE_INVOICE, SAMPLE_ISSUER } from '../testing/sample-bodies.js';
import { readXml } from '../xml/reader.js';
import { validateIssuer } from './issuer-check.js';
import { prepareDocument } from './prepare.js';
import { DOCUMENT_TYPES, documentTypeOf } from './registry.js';
import { writeComprobante } from './write-comprobante.js';

/** Values to send in any field, whatever its type. */
const VALUES: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  '\u00a0',
  '\t\r\n',
  0,
  -0,
  1,
  -1,
  1.5,
  1e21,
  1e-7,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  10n,
  true,
  false,
  [],
  [[]],
  [null],
  {},
  { length: 3 },
  Symbol('x'),
  () => 'x',
  new Date(0),
  new String('1'),
  new Map(),
  /x/,
  'x'.repeat(20),
  'x'.repeat(21),
  'x'.repeat(25),
  'x'.repeat(26),
  'x'.repeat(300),
  'x'.repeat(301),
  'x'.repeat(3000),
  '9'.repeat(400),
  ' 1.00',
  '1.00 ',
  '١٢',
  '１２',
  'NaN',
  '1e5',
  '+1',
  '-1',
  '-0',
  '00',
  '0x1',
  '1,5',
  '1.',
  '.5',
  '1.1234567',
  '1_0',
  '1 000',
  '999999999999',
  '999999999999.99',
  '1000000000000',
  '31/02/2026',
  '29/02/2025',
  '29/02/2024',
  '21/11/26',
  '2026-11-21',
  '22/11/2026',
  '& < > " \'',
  ']]>',
  '<!--',
  '<?xml?>',
  '&amp;&#0;&x;',
  '<!DOCTYPE x>',
  'a\0b',
  '\x07',
  '\x0b',
  '\x7f',
  '\x85',
  '\u2028',
  '\ufeff',
  '\ufffe',
  '\uffff',
  '\ud800',
  '\udc00',
  '\ud83d\ud83d',
  '\u202e\u202d',
  '\u200b',
  'e\u0301'.repeat(100),
  '👨‍👩‍👧‍👦'.repeat(40),
  '😀'.repeat(300),
  '😀'.repeat(301),
  'x\r\nBcc: y@z.ec',
  "'; DROP TABLE documents; --",
  '=1+1',
  '<script>',
  '%PDF-1.7',
  '(\\)',
  '#{7*7}',
  '{max}',
  '$&',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '07',
  '04',
  '2',
  '5001',
  '3011',
];

type Path = readonly (string | number)[];

/** Every path of a body, from the root to each leaf. */
function* places(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    yield* places(inner, [...path, Array.isArray(value) ? Number(key) : key]);
}

function withValue(body: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(body)) return body.map((inner, index) => (index === key ? withValue(inner, rest, value) : inner));
  if (typeof body !== 'object' || body === null) return body;
  return { ...body, [key]: withValue(Reflect.get(body, key), rest, value) };
}

const fieldName = (path: Path) =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');

/**
 * A failure concerns a path when it names the path, a descendant or an ancestor. Where rules join two fields (sums; rates by
 * date; everything by the document type), it may name the other field.
 */
function isAbout(field: string, path: Path): boolean {
  const [part] = path;
  if (part === undefined || part === 'documentType' || field === 'body') return true;
  if (field.startsWith(String(part))) return true;
  if (part === 'items' || part === 'reasons' || part === 'tip')
    return ['payments', 'tip', 'buyer.idType'].includes(field);
  if (part === 'startDate') return field === 'endDate';
  return part === 'originalDocument' && field.endsWith('.rateCode');
}

/** The ways of checking. Some types have one body for contract and library. */
const MODES = [
  { name: 'by the contract', requireAmounts: true, strict: false },
  { name: 'by the library', requireAmounts: false, strict: false },
  { name: 'strictly', requireAmounts: true, strict: true },
];

/** Every document is well-formed, and valid by its schema. */
function expectSound(written: readonly string[]): void {
  for (const xml of written) readXml(xml);
  if (!hasSchemas()) return;
  for (const [schema, documents] of Map.groupBy(new Set(written), schemaOf))
    expect(schemaComplaints(schema, documents)).toBe('');
}

/** The schema of a document, by its root element and version. */
function schemaOf(xml: string): string {
  const [, root = '', version] = /<(\w+) id="comprobante" version="([\d.]+)"/.exec(xml) ?? [];
  return `${root === 'factura' ? root : `${root.charAt(0).toUpperCase()}${root.slice(1)}`}_V${version}.xsd`;
}

describe.each(
  DOCUMENT_TYPES.map((code) => {
    const { examples, body } = documentTypeOf(code);
    return { code, body: examples[0], modes: body.withSums === body.optionalSums ? MODES.slice(1) : MODES };
  }),
)('any value in any field of a document of type $code', ({ body, modes }) => {
  it.each(modes)(
    'any value in any field becomes a valid document or a ValidationError that names it: $name',
    ({ requireAmounts, strict }) => {
      let tried = 0;
      const written: string[] = [];
      for (const path of places(body)) {
        for (const value of VALUES) {
          tried += 1;
          try {
            const document = prepareDocument(withValue(body, path, value), {
              issuer: SAMPLE_ISSUER,
              today: '2026-11-21',
              requireAmounts,
              strict,
            });
            written.push(writeComprobante(document, SAMPLE_ISSUER, NUMBERING).xml);
          } catch (error) {
            if (!(error instanceof ValidationError))
              throw new Error(`${fieldName(path)}: not a ValidationError`, { cause: error });
            expect(error.failures.length, fieldName(path)).toBeGreaterThan(0);
            for (const { field, message } of error.failures) {
              if (!isAbout(field, path)) throw new Error(`${fieldName(path)} was refused naming ${field}.`);
              if (typeof value === 'string' && value.length > 15) expect(message).not.toContain(value);
            }
          }
        }
      }
      expect(tried).toBeGreaterThan(2_500);
      expectSound(written);
    },
  );
});

describe('any value in any field of an issuer', () => {
  it('any value in any field of an issuer becomes a valid issuer or a ValidationError that names it', () => {
    const full = { ...SAMPLE_ISSUER, specialTaxpayer: '5368', withholdingAgent: '1', rimpe: 'GENERAL' };
    const written: string[] = [];
    for (const path of places(full)) {
      for (const value of VALUES) {
        try {
          const issuer = validateIssuer(withValue(full, path, value));
          const document = prepareDocument(SAMPLE_INVOICE, { issuer, today: '2026-11-21' });
          const { xml } = writeComprobante(document, issuer, NUMBERING);
          // The schema takes a RUC of the main establishment alone.
          if (path[0] !== 'ruc') written.push(xml);
        } catch (error) {
          if (!(error instanceof ValidationError))
            throw new Error(`${fieldName(path)}: not a ValidationError`, { cause: error });
          for (const { field } of error.failures)
            expect(field).toMatch(path.length === 0 ? /^issuer/ : `issuer.${fieldName(path)}`);
        }
      }
    }
    expectSound(written);
  });
});

describe('bodies beyond plain data', () => {
  const refused = (body: unknown) => {
    expect(() => prepareDocument(body, CONTEXT)).toThrow(ValidationError);
  };

  it('rejects bodies with a getter that throws', () => {
    refused({
      get documentType() {
        throw new Error('no');
      },
    });
    refused({
      ...SAMPLE_INVOICE,
      get buyer() {
        throw new Error('no');
      },
    });
    refused({
      ...SAMPLE_INVOICE,
      items: [
        {
          ...SAMPLE_INVOICE.items[0],
          get quantity() {
            throw new Error('no');
          },
        },
      ],
    });
  });

  it('reads a getter once, so that it cannot return another value after the check', () => {
    let reads = 0;
    const item = {
      ...SAMPLE_INVOICE.items[0],
      get description() {
        reads += 1;
        return reads === 1 ? 'Good' : 'Bad\0';
      },
    };
    const document = prepareDocument({ ...SAMPLE_INVOICE, items: [item] }, CONTEXT);
    expect(document.items[0]?.description).toBe('Good');
    expect(reads).toBe(1);
  });

  it('rejects a body of throwing or revoked proxies, and reads an honest proxy', () => {
    const throwing = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
        getOwnPropertyDescriptor: () => {
          throw new Error('no');
        },
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    refused(throwing);
    refused({ ...SAMPLE_INVOICE, buyer: throwing });
    refused({ ...SAMPLE_INVOICE, items: [throwing] });
    for (const target of [{}, []]) {
      const { proxy, revoke } = Proxy.revocable(target, {});
      revoke();
      refused(proxy);
      refused({ ...SAMPLE_INVOICE, items: proxy });
      refused({ ...SAMPLE_INVOICE, buyer: proxy });
      refused({ ...SAMPLE_INVOICE, items: [proxy] });
      refused({ ...SAMPLE_INVOICE, items: [{ ...SAMPLE_INVOICE.items[0], description: proxy }] });
    }
    const honest = new Proxy(SAMPLE_INVOICE, {});
    expect(prepareDocument(honest, CONTEXT).total).toBe('16.68');
  });

  it('rejects bodies with lists that are sparse or claim an endless length', () => {
    refused({ ...SAMPLE_INVOICE, items: new Array(4_000_000_000) });
    const endless = new Proxy([], { get: (target, key) => (key === 'length' ? 1e9 : Reflect.get(target, key)) });
    refused({ ...SAMPLE_INVOICE, items: endless });
    refused({ ...SAMPLE_INVOICE, additionalInfo: new Array(3) });
  });

  it('rejects a body that contains itself or is deep, and reads a wide one', () => {
    const self: Record<string, unknown> = { ...SAMPLE_INVOICE };
    self['buyer'] = self;
    self['items'] = [self];
    refused(self);
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level += 1) deep = { buyer: deep };
    refused(deep);
    const wide = {
      ...SAMPLE_INVOICE,
      ...Object.fromEntries(Array.from({ length: 100_000 }, (_, key) => [`k${key}`, key])),
    };
    expect(prepareDocument(wide, CONTEXT).total).toBe('16.68');
  });

  it('rejects bodies with an extremely long text', () => {
    refused({ ...SAMPLE_INVOICE, buyer: { ...SAMPLE_INVOICE.buyer, name: '\n'.repeat(5_000_000) } });
    refused({ ...SAMPLE_INVOICE, buyer: { ...SAMPLE_INVOICE.buyer, email: `${'a.'.repeat(500_000)}@b.ec` } });
    refused({ ...SAMPLE_INVOICE, tip: '0'.repeat(5_000_000) });
    refused({ ...SAMPLE_INVOICE, issueDate: '1/'.repeat(2_000_000) });
  });

  describe('a polluted prototype of objects', () => {
    afterEach(() => {
      for (const key of ['tip', 'documentType', 'address', '0']) Reflect.deleteProperty(Object.prototype, key);
    });

    it('reads only own properties of the body while the prototype of objects is polluted', () => {
      for (const key of ['tip', 'documentType', 'address', '0']) {
        Object.defineProperty(Object.prototype, key, { value: '9.99', configurable: true, writable: true });
      }
      const { tip: _, ...body } = SAMPLE_INVOICE;
      const document = prepareDocument(body, CONTEXT);
      expect(document.total).toBe('16.68');
      expect(document.documentType === '01' && document.tip).toBe(0n);
      refused({ buyer: body.buyer, items: body.items, payments: body.payments });
    });
  });
});

// --- internal ---

const NUMBERING = { environment: 'sandbox', sequential: 1, numericCode: '12345678' } as const;
