import { systemClock } from '../clock.js';
import { systemRandom } from '../random.js';
import { createSriClient, SRI_URLS, type SriClient } from '../sri/soap-client.js';
import { undiciTransport } from '../sri/undici-transport.js';
import { type CommandOptions, textOption } from './command.js';
import { UsageError } from './failure.js';

/** The option of commands that call the SRI. */
export const SRI_OPTION = {
  sri: textOption('url', {
    es: 'Otro SRI en lugar del real, como el de simulate: http://127.0.0.1:8089/comprobantes-electronicos-ws',
    en: 'Another SRI in place of the real one, such as that of simulate: http://127.0.0.1:8089/comprobantes-electronicos-ws',
  }),
} as const satisfies CommandOptions;

/** Runs a call with a client of the SRI, and closes its connections. @param url the value of `--sri`. @throws UsageError */
export async function withSri<T>(url: string | null, work: (sri: SriClient) => Promise<T>): Promise<T> {
  if (url !== null && !/^https?:\/\//.test(url)) {
    throw new UsageError({
      es: '--sri es una dirección que comienza con http:// o https://.',
      en: '--sri is an address that begins with http:// or https://.',
    });
  }
  const transport = undiciTransport();
  const urls = url === null ? SRI_URLS : { sandbox: url, production: url };
  try {
    return await work(createSriClient({ transport, urls, clock: systemClock, random: systemRandom }));
  } finally {
    await transport.close();
  }
}
