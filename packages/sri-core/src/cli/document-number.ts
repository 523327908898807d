import { isSequential } from '../sequential.js';
import { UsageError } from './failure.js';

/** The parts of a document's number in the option `--number`. @throws UsageError */
export function readDocumentNumber(number: string) {
  const [, branchCode = '', issuePointCode = '', digits] = /^(\d{3})-(\d{3})-(\d{1,9})$/.exec(number) ?? [];
  const sequential = Number(digits);
  if (isSequential(sequential)) return { branchCode, issuePointCode, sequential };
  throw new UsageError({
    es: '--number tiene la forma 001-001-000000001.',
    en: '--number has the form 001-001-000000001.',
  });
}
