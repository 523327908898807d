import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDocument } from '../documents/prepare.js';
import { readComprobante } from '../documents/read-comprobante.js';
import type { Comprobante } from '../documents/registry.js';
import { writeComprobante } from '../documents/write-comprobante.js';
import { readXml, type XmlElement } from '../xml/reader.js';

/** A change of the SRI's example: a text and its replacement. Every occurrence is replaced. */
export type Edit = readonly [from: string | RegExp, to: string];

/** Whether the SRI's example of a schema is here; logs the reason when it is not. */
export function hasSriExample(name: string): boolean {
  const found = existsSync(join(DIRECTORY, name));
  if (!found) process.stdout.write("The SRI's examples are not here (SRI_SAMPLES_DIR): tests with them are skipped.\n");
  return found;
}

/**
 * Reads the SRI's example, turns it into a body, and writes that.
 *
 * @param edits replace the placeholders with valid values, and remove what this library does not write.
 * @param toBody the body of the comprobante.
 * @returns the elements of both, one after another, without the access key.
 */
export function rewriteSriExample(
  name: string,
  edits: readonly Edit[],
  toBody: (comprobante: Comprobante) => unknown,
): { readonly example: readonly string[]; readonly written: readonly string[] } {
  let xml = readFileSync(join(DIRECTORY, name), 'utf8').replace(/>\s+</g, '><');
  for (const [from, to] of [...COMMON_EDITS, ...edits]) {
    if (xml.search(from) < 0 && edits.some(([own]) => own === from)) throw new Error(`${from} is not in ${name}.`);
    xml = xml.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'g'), to);
  }
  const comprobante = readComprobante(xml);
  const { issuer } = comprobante;
  const sender = {
    ...issuer,
    rimpe: issuer.rimpe === null ? null : ('GENERAL' as const),
    requiredAccounting: issuer.requiredAccounting ?? false,
    branchCode: comprobante.branchCode,
    issuePointCode: comprobante.issuePointCode,
  };
  const prepared = prepareDocument(toBody(comprobante), {
    issuer: sender,
    today: '2026-11-21',
    keepIssueDate: '2000-01-01',
  });
  const numbering = {
    environment: 'sandbox',
    sequential: Number(comprobante.sequential),
    numericCode: '12345678',
  } as const;
  return { example: elementsOf(xml), written: elementsOf(writeComprobante(prepared, sender, numbering).xml) };
}

// --- internal ---

/** The folder of the SRI's example documents, which are not shipped. */
const DIRECTORY = join(process.env['SRI_SAMPLES_DIR'] ?? '', 'sri-examples');

/** Edits that apply only where their text occurs. */
const COMMON_EDITS: readonly Edit[] = [
  ['<secuencial>000000000</secuencial>', '<secuencial>000000001</secuencial>'],
  ['<agenteRetencion>0</agenteRetencion>', '<agenteRetencion>1</agenteRetencion>'],
  ['<unidadTiempo>unidadTiem</unidadTiempo>', '<unidadTiempo>dias</unidadTiempo>'],
  [/<maquinaFiscal>.*<\/maquinaFiscal>/, ''],
];

/** `infoFactura/importeTotal=12.5` of each element and attribute with a text, in order. Amounts lose trailing zeros. */
function elementsOf(xml: string): readonly string[] {
  return walk(readXml(xml), '').filter((line) => !line.startsWith('infoTributaria/claveAcceso'));
}

function walk(element: XmlElement, path: string): readonly string[] {
  return element.children.flatMap((inner) => {
    const name = `${path}${inner.name}`;
    const own = inner.children.length === 0 ? [`${name}=${plain(inner.text)}`] : [];
    const attributes = Object.entries(inner.attributes).map(([key, value]) => `${name}@${key}=${value}`);
    return [...own, ...attributes, ...walk(inner, `${name}/`)];
  });
}

function plain(text: string): string {
  return /^\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}
