import { systemClock } from '../clock.js';
import { systemRandom } from '../random.js';
import { createSriClient, SRI_URLS, type SriClient } from '../sri/soap-client.js';
import { type ClosableTransport, undiciTransport } from '../sri/undici-transport.js';
import { type CommandCall, type CommandOptions, textOption } from './command.js';
import { UsageError } from './failure.js';

/** The option of commands that call the SRI. */
export const SRI_OPTION = {
  sri: textOption('url', {
    es: 'Otro SRI en lugar del real, como el de simulate: http://127.0.0.1:8089/comprobantes-electronicos-ws. A cualquiera se llega por el proxy de SRI_PROXY, si la hay',
    en: 'Another SRI in place of the real one, such as that of simulate: http://127.0.0.1:8089/comprobantes-electronicos-ws. Either is reached through the proxy of SRI_PROXY, if set',
  }),
} as const satisfies CommandOptions;

/** The part of a command's input that says how to reach the SRI. */
export type SriCall = Pick<CommandCall<typeof SRI_OPTION>, 'options' | 'env'>;

/** Runs a call with a client of the SRI that `--sri` and `SRI_PROXY` lead to, and closes its connections. @throws UsageError */
export async function withSri<T>(
  { options: { sri: url }, env }: SriCall,
  work: (sri: SriClient) => Promise<T>,
): Promise<T> {
  if (url !== null && !/^https?:\/\//.test(url)) {
    throw new UsageError({
      es: '--sri es una dirección que comienza con http:// o https://.',
      en: '--sri is an address that begins with http:// or https://.',
    });
  }
  const transport = openTransport(env['SRI_PROXY']?.trim());
  const urls = url === null ? SRI_URLS : { sandbox: url, production: url };
  try {
    return await work(createSriClient({ transport, urls, clock: systemClock, random: systemRandom }));
  } finally {
    await transport.close();
  }
}

// --- internal ---

function openTransport(proxy: string | undefined): ClosableTransport {
  try {
    return undiciTransport(proxy ? { proxy } : {});
  } catch {
    throw new UsageError({
      es: 'SRI_PROXY es una dirección como http://proxy.example.com:3128.',
      en: 'SRI_PROXY is an address such as http://proxy.example.com:3128.',
    });
  }
}
