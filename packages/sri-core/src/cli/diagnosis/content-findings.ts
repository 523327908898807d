import { isAccessKey } from '../../access-key.js';
import type { LocalizedText } from '../../catalogs/catalog.js';
import { describeSriCode } from '../../sri/codes.js';
import { type ContentFault, findContentFaults, findSumFaults, hasSums } from '../../sri/rules/content.js';
import { findKeyDifferences } from '../../sri/rules/key.js';
import { checkIssueDate, checkStructure, issueDateOf } from '../../sri/rules/reception.js';
import type { Submission } from '../../sri/rules/submission.js';
import { whatIsWrongWithKey } from './access-key-words.js';
import { type Finding, object, pass } from './finding.js';
import { fromMessage } from './sri-message.js';

/** Checks the document itself: structure, access key, sums, other content, date. @param sent whether the SRI already authorised it. */
export function findInContent(submission: Submission, now: Date, sent: boolean): readonly Finding[] {
  const structure = checkStructure(submission, null);
  const key = keyDigits(submission);
  // A wrong access key has its own finding, with the correct check digit.
  if (structure?.identifier === '58') return [key];
  if (structure !== null) return [fromMessage('structure', structure), key];
  return [
    pass('structure', rightStructure(submission)),
    key,
    ...keyContent(submission),
    ...sums(submission),
    ...content(submission),
    date(submission, now, sent),
  ];
}

// --- internal ---

function keyDigits({ accessKey }: Submission): Finding {
  if (isAccessKey(accessKey)) {
    return pass('accessKey', {
      es: `La clave de acceso tiene sus 49 dígitos y su dígito verificador es correcto: ${accessKey}.`,
      en: `The access key has its 49 digits and a right check digit: ${accessKey}.`,
    });
  }
  return object('fail', 'accessKey', {
    sriCode: '58',
    message: whatIsWrongWithKey(accessKey),
    advice: {
      es: 'La clave se arma con fecha, tipo, RUC, ambiente, serie, número, código y tipo de emisión, y su último dígito es un módulo 11 (key build la calcula). Corríjala antes de firmar.',
      en: 'The key is made of date, type, RUC, environment, series, number, code and emission type, and its last digit is a modulo 11 (key build computes it). Correct it before signing.',
    },
  });
}

function keyContent(submission: Submission): readonly Finding[] {
  const differing = findKeyDifferences(submission);
  if (differing.length === 0) return [];
  const named = differing.join(', ');
  return [
    object('fail', 'accessKey', {
      sriCode: '58',
      message: {
        es: `La clave de acceso dice otra cosa que el comprobante en: ${named}.`,
        en: `The access key says something else than the comprobante in: ${named}.`,
      },
      advice: describeSriCode('58')?.advice ?? null,
    }),
  ];
}

function sums(submission: Submission): readonly Finding[] {
  if (!hasSums(submission)) return [];
  const differences = findSumFaults(submission, 'refuses');
  return [differences.length === 0 ? groupSums(submission) : wrongSums(differences.join('; '))];
}

function wrongSums(list: string): Finding {
  return object('fail', 'sums', {
    sriCode: '52',
    message: { es: `Los totales no cuadran: ${list}.`, en: `The sums do not agree: ${list}.` },
    advice: {
      es: 'Suele venir de redondear cada línea a un número distinto de decimales que el total, o de calcular con números de coma flotante. Calcule con decimales exactos, redondee medio hacia arriba a 2, y sume lo redondeado.',
      en: 'It usually comes from rounding each line to other decimals than the total, or from floating-point sums. Compute with exact decimals, round half up to 2, and add up what was rounded.',
    },
  });
}

function groupSums(submission: Submission): Finding {
  const differences = findSumFaults(submission, 'warns');
  if (differences.length === 0) return pass('sums', { es: 'Los totales cuadran.', en: 'The sums agree.' });
  const list = differences.join('; ');
  return object('warn', 'sums', {
    sriCode: '52',
    message: {
      es: `El impuesto no es base × tarifa de todas las líneas juntas: ${list}.`,
      en: `The tax is not base × rate of all lines together: ${list}.`,
    },
    advice: {
      es: 'Viene de redondear el impuesto línea por línea. Calcule el del grupo sobre la suma de sus bases y reparta el resto entre las líneas.',
      en: 'It comes from rounding the tax line by line. Compute that of the group on the sum of its bases, and share what is left among the lines.',
    },
  });
}

/** What the SRI checks besides the sums. It alone knows which documents were issued. */
function content(submission: Submission): readonly Finding[] {
  const found = findContentFaults(submission, { knows: () => true });
  const unknown = findContentFaults(submission, { knows: () => false }).filter(
    ({ code, detail }) => !found.some((fault) => fault.code === code && fault.detail === detail),
  );
  return [...found.map(contentFault), ...unknown.map(unknownDocument)];
}

function contentFault({ code, outcome, detail }: ContentFault): Finding {
  const known = describeSriCode(code);
  const shown = detail === '' ? '' : ` (${detail})`;
  return object(outcome === 'warns' ? 'warn' : 'fail', 'content', {
    sriCode: code,
    message: { es: `${known?.meaning.es}${shown}`, en: `${known?.meaning.en}${shown}` },
    advice: known?.advice ?? null,
  });
}

function unknownDocument({ code, detail }: ContentFault): Finding {
  return pass('content', {
    es: `Se refiere al ${detail}. Solo el SRI sabe si consta; si no, lo autoriza con una advertencia (${code}).`,
    en: `It refers to ${detail}. The SRI alone knows whether that was issued; if not, it authorizes with a warning (${code}).`,
  });
}

function date(submission: Submission, now: Date, sent: boolean): Finding {
  const late = sent ? null : checkIssueDate(submission, now);
  if (late) return fromMessage('date', late);
  const issued = issueDateOf(submission);
  return pass('date', { es: `Fecha de emisión: ${issued}.`, en: `Issue date: ${issued}.` });
}

function rightStructure({ root }: Submission): LocalizedText {
  const version = root.attributes['version'] ?? '';
  return {
    es: `La estructura es la de ${root.name} ${version}.`,
    en: `The structure is that of ${root.name} ${version}.`,
  };
}
