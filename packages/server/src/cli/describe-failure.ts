import type { Language } from 'sri-core';
import { type DescribedFailure, describeCoreFailure } from 'sri-core/cli';
import { ConfigError } from '../platform/config-values.js';
import { toProblem, toRefusal } from '../platform/http/problem.js';
import { sentenceOf } from '../platform/language.js';

/** Failures in the words of the error catalogue; failures of files and the machine stay unchanged. */
export function describeFailure(error: unknown, language: Language): DescribedFailure {
  if (error instanceof ConfigError) {
    const detail = language === 'es' ? 'La configuración no se puede usar.' : 'The configuration cannot be used.';
    const errors = error.problems.map(({ variable, texts }) => ({ field: variable, message: texts[language] }));
    return { code: error.code, detail, errors };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof Error && (OWN.has(code) || 'syscall' in error))
    return { code, detail: sentenceOf(error, language) };
  if (OF_CORE.test(code)) return describeCoreFailure(error, language);
  const refusal = toRefusal(error);
  if (refusal.code === 'INTERNAL_ERROR') {
    // On the machine itself the cause helps, and there is no caller to hide it from.
    const cause = error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : 'unknown';
    return { code: refusal.code, detail: cause };
  }
  const { body } = toProblem(refusal, { language, instance: '', requestId: '', docsUrl: '' });
  const { code: serverCode, reason, detail, errors } = body;
  return {
    code: String(serverCode),
    detail: String(detail),
    ...(reason ? { reason } : {}),
    ...(errors ? { errors } : {}),
  };
}

// --- internal ---

const OWN = new Set([
  'DATABASE_NOT_READY',
  'STORAGE_UNAVAILABLE',
  'STORAGE_SCHEMA_TOO_NEW',
  'STORAGE_SCHEMA_UNUSABLE',
  'MASTER_KEY_NEEDED',
  'ECONNREFUSED',
]);
/** The fault of a file on the command line, as opposed to a file sent to the server, or the fault of the SRI. */
const OF_CORE = /^(CERTIFICATE_|ACCESS_KEY_INVALID$|SRI_UNAVAILABLE$|XML_|IMAGE_INVALID$)/;
