import { type CommandOptions, flagOption, textOption } from 'sri-core/cli';
import { CONNECTION_OPTIONS } from '../client/connection.js';
import { TYPE_OPTION } from '../client/typed-body.js';
import type { ServerCall } from '../frame/command.js';
import { quoteWord } from '../frame/shell-word.js';
import type { BatchHead } from './journal.js';

/** The options and arguments of `batch issue`. */
export const BATCH_OPTIONS = {
  ...CONNECTION_OPTIONS,
  type: TYPE_OPTION,
  resume: flagOption({
    es: 'Sigue un lote que se interrumpió, o que tuvo errores y se corrigió',
    en: 'Goes on with a batch that was interrupted, or had errors and was mended',
  }),
  check: flagOption({
    es: 'Solo revisa el archivo; no emite ni necesita servidor',
    en: 'Only looks at the file; issues nothing and needs no server',
  }),
  ride: textOption('folder', { es: 'Guarda allí cada RIDE autorizado', en: 'Saves each authorized RIDE there' }),
  xml: textOption('folder', { es: 'Guarda allí cada XML autorizado', en: 'Saves each authorized XML there' }),
  encoding: textOption('utf-8|windows-1252', {
    es: 'Si no, UTF-8 (o UTF-16 con marca)',
    en: 'Default UTF-8 (or UTF-16 with a mark)',
  }),
  batch: textOption('name', {
    es: 'Para emitir otra vez, a propósito, un archivo idéntico',
    en: 'To issue an identical file once more, on purpose',
  }),
  parallel: textOption('n', {
    es: 'Cuántos esperan al SRI a la vez; si no, 16',
    en: 'How many wait for the SRI at once; default 16',
  }),
  timeout: textOption('seconds', {
    es: 'Cuánto se espera a cada uno; si no, 120',
    en: 'How long to wait for each; default 120',
  }),
  'allow-changed-rows': flagOption({
    es: 'Al seguir, emite aunque falten filas ya emitidas',
    en: 'When going on, issues even if rows issued before are gone',
  }),
} as const satisfies CommandOptions;

/** The parsed call. */
export type BatchCall = ServerCall<typeof BATCH_OPTIONS>;

/**
 * The current command, as a user would type it again.
 * @param path another file; default: the file of the call.
 * @param resume whether to resume; default true.
 * @param begun the options of the first call, for those that this call omits.
 */
export function typedCommand(
  call: BatchCall,
  {
    path = call.args[0] ?? '',
    resume = true,
    begun = {},
  }: {
    readonly path?: string;
    readonly resume?: boolean;
    readonly begun?: Partial<Pick<BatchHead, 'ride' | 'xml'>>;
  } = {},
): string {
  const given = Object.entries(call.options).flatMap(([name, own]) => {
    const value = own ?? begun[name as keyof typeof begun] ?? null;
    if (name === 'resume' || value === null || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name}`, quoteWord(String(value))];
  });
  return ['sri-server batch issue', quoteWord(path), ...given, ...(resume ? ['--resume'] : [])].join(' ');
}
