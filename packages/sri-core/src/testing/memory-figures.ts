import { formatDecimal, MONEY_SCALE, parseDecimal } from '../money.js';
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
    const sum = parseDecimal(before.total, MONEY_SCALE) + parseDecimal(total, MONEY_SCALE);
    figures.set(name, { ...before, count: before.count + 1, total: formatDecimal(sum, MONEY_SCALE) });
  }
  return [...figures].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, figure]) => figure);
}
