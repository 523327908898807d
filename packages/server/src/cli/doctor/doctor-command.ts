import { type CommandOptions, flagOption, textOption } from 'sri-core/cli';
import { defineServerCommand } from '../frame/command.js';
import { examine, printFinding } from './examine.js';
import type { DoctorFinding } from './finding.js';

const DOCTOR_OPTIONS = {
  reconcile: flagOption({
    es: 'Compara los contadores y lo anulado con lo que el SRI sabe, hasta donde se puede preguntar',
    en: 'Compares counters and voided documents with what the SRI knows, as far as it can be asked',
  }),
  keys: textOption('file', {
    es: 'Hace --reconcile también con un archivo de claves de acceso ya emitidas, en cualquier texto',
    en: 'Does --reconcile also with a file of access keys issued before, in any text',
  }),
  invariants: flagOption({
    es: 'Revisa todo lo guardado: numeración, estados, trabajos, firmas, secretos, sumas de las listas',
    en: 'Checks everything stored: numbering, states, jobs, signatures, secrets, the counts of lists',
  }),
} as const satisfies CommandOptions;

/** `doctor` */
export const doctorCommand = defineServerCommand({
  about: {
    es: 'Nada se envía ni se cambia. Cada hallazgo dice qué ejecutar. Termina en 1 si algo impide emitir.',
    en: 'Nothing is sent or changed. Each finding says what to run. Ends with 1 when something prevents issuing.',
  },
  options: DOCTOR_OPTIONS,
  async run(call) {
    const { reconcile, keys } = call.options;
    const options = { ...call.options, reconcile: reconcile || keys !== null };
    const findings = await examine({ ...call, options });
    const refused = findings.some(({ verdict }) => verdict === 'fail');
    const count = (wanted: DoctorFinding['verdict']) => findings.filter(({ verdict }) => verdict === wanted).length;
    return {
      json: { ok: !refused, fail: count('fail'), warn: count('warn'), findings },
      text: findings.flatMap((finding) => printFinding(finding, call.language)).join('\n'),
      passed: !refused,
    };
  },
});
