import { documentTypeOf, readComprobante } from 'sri-core';
import { toTable } from 'sri-core/cli';

type Content = ReturnType<ReturnType<typeof documentTypeOf>['ride']>;
type Table = Extract<Content['blocks'][number], { readonly columns: unknown }>;

/** The lines and sums of a document as its RIDE prints them, in text. @throws XmlError */
export function showContent(xml: string): string {
  const comprobante = readComprobante(xml);
  // The type was found by the comprobante.
  const type = documentTypeOf(comprobante.documentType) as unknown as { ride(read: unknown): Content };
  const { blocks, sums } = type.ride(comprobante);
  const parts = blocks.map((block) => ('columns' in block ? showTable(block) : showFacts(block)));
  const amounts = sums.filter(({ amount, strong }) => strong || Number(amount) !== 0);
  return [...parts, alignRight(amounts)].filter((part) => part !== '').join('\n\n');
}

// --- internal ---

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
