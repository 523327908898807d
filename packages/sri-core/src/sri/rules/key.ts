import { parseAccessKey } from '../../access-key.js';
import { fromAmbiente } from '../../environment.js';
import { childText } from '../../xml/reader.js';
import { issueDateOf } from './reception.js';
import type { Submission } from './submission.js';

/** The names of elements that contradict the access key. The key must be valid. */
export function findKeyDifferences(submission: Submission): readonly string[] {
  const { accessKey, infoTributaria } = submission;
  const key = parseAccessKey(accessKey);
  const text = (name: string) => childText(infoTributaria, name);
  return [
    ['fechaEmision', issueDateOf(submission) === key.issueDate],
    ['codDoc', text('codDoc') === key.documentType],
    ['ruc', text('ruc') === key.ruc],
    ['ambiente', fromAmbiente(text('ambiente') ?? '') === key.environment],
    ['estab', text('estab') === key.branchCode],
    ['ptoEmi', text('ptoEmi') === key.issuePointCode],
    ['secuencial', Number(text('secuencial')) === key.sequential],
    ['tipoEmision', text('tipoEmision') === accessKey[47]],
  ].flatMap(([name, same]) => (same ? [] : [String(name)]));
}
