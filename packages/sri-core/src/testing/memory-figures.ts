import { formatMoney, parseMoney } from '../money.js';
import type { DocumentFigure, FigureQuery, StoredDocument } from '../storage.js';

/** The figures of the matching documents, by issue date, type and status. */
export function sumFigures(documents: readonly StoredDocument[], query: FigureQuery): readonly DocumentFigure[] {
  const figures = new Map<string, DocumentFigure>();
  for (const { documentType, status, issueDate, total } of documents) {
    if (query.documentType !== undefined && documentType !== query.documentType) continue;
    if (query.from !== undefined && issueDate < query.from) continue;
    if (query.to !== undefined && issueDate > query.to) continue;
    const name = `${issueDate} ${documentType} ${status}`;
    const before = figures.get(name) ?? { documentType, status, issueDate, count: 0, total: '0.00' };
    const sum = parseMoney(before.total) + parseMoney(total);
    figures.set(name, { ...before, count: before.count + 1, total: formatMoney(sum) });
  }
  return [...figures].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, figure]) => figure);
}
