import { documentTypeOf, readComprobante } from 'sri-core';
import { toTable } from 'sri-core/cli';
import { CONNECTION_OPTIONS, readIssuerConnection } from '../client/connection.js';
import { askWhy, downloadXml, explainRefusal, KEY_ARGUMENT, requireAccessKey } from '../client/documents.js';
import { withServer } from '../client/with-server.js';
import { defineServerCommand } from '../frame/command.js';
import { describeDocument } from './document-words.js';

/** `documents get` */
export const getCommand = defineServerCommand({
  about: {
    es: 'Estado, líneas y sumas, y qué dijo el SRI cuando no lo aceptó.',
    en: 'Its standing, lines and sums, and what the SRI said where it did not accept it.',
  },
  args: [KEY_ARGUMENT],
  options: CONNECTION_OPTIONS,
  run: (call) => {
    const { language, json } = call;
    const accessKey = requireAccessKey(call.args[0]);
    return withServer(readIssuerConnection(call), async (api) => {
      const document = await api.documents.get(accessKey);
      const why = document.status === 'VOIDED' ? null : await askWhy(api, document);
      const content = json ? '' : showContent(new TextDecoder().decode(await downloadXml(api, accessKey)));
      const parts = [describeDocument(document, language), content, why ? explainRefusal(why).join('\n') : ''];
      return {
        json: { ok: true, document, ...(why?.answer ? { sri: why.answer } : {}) },
        text: parts.filter((part) => part !== '').join('\n\n'),
      };
    });
  },
});

// --- internal ---

type Content = ReturnType<ReturnType<typeof documentTypeOf>['ride']>;
type Table = Extract<Content['blocks'][number], { readonly columns: unknown }>;

/** The lines and sums of a document as its RIDE prints them, in text. @throws XmlError */
function showContent(xml: string): string {
  const comprobante = readComprobante(xml);
  // The type was found by the comprobante.
  const type = documentTypeOf(comprobante.documentType) as unknown as { ride(read: unknown): Content };
  const { blocks, sums } = type.ride(comprobante);
  const parts = blocks.map((block) => ('columns' in block ? showTable(block) : showFacts(block)));
  const amounts = sums.filter(({ amount, strong }) => strong || Number(amount) !== 0);
  return [...parts, alignRight(amounts)].filter((part) => part !== '').join('\n\n');
}

/** An optional column without content is left out. */
function showTable({ columns, rows }: Table): string {
  const shown = columns.flatMap((column, index) => {
    const isEmpty = rows.every(({ cells }) => !cells[index]);
    return isEmpty && column.optional ? [] : [{ title: column.short ?? column.title, index }];
  });
  return toTable(
    shown.map(({ title }) => title),
    rows.map(({ cells }) => shown.map(({ index }) => cells[index] ?? '')),
  );
}

function showFacts(panel: Exclude<Content['blocks'][number], Table>): string {
  const facts = [...panel.left, ...panel.right, ...(panel.below ?? [])];
  return facts.flatMap(([label, value]) => (value ? [`${label} ${value}`] : [])).join('\n');
}

function alignRight(sums: Content['sums']): string {
  const widest = Math.max(0, ...sums.map(({ label }) => label.length));
  const longest = Math.max(0, ...sums.map(({ amount }) => amount.length));
  return sums.map(({ label, amount }) => `${label.padEnd(widest)}  ${amount.padStart(longest)}`).join('\n');
}
