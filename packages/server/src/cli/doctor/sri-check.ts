import type { Clock, Transport } from 'sri-core';
import type { Config } from '../../config/config.js';
import { openSriTransport, sriUrls } from '../../config/sri-transport.js';
import { type DoctorFinding, fail, fine, warn } from './finding.js';

/**
 * Whether the SRI's services are reachable from here, and whether the clock agrees with theirs.
 * @param signing the clock that servers sign by; `isShared` for the clock of the database.
 */
export async function findAtSri(
  config: Config,
  signing: { readonly clock: Clock; readonly isShared: boolean },
): Promise<readonly DoctorFinding[]> {
  if (config.sriMode !== 'live') {
    return [
      fine('sri', {
        es: 'Las pruebas van a un SRI simulado; el real no se revisó. (SRI_MODE=live doctor lo revisa.)',
        en: 'Sandbox documents go to a simulated SRI; the real one was not checked. (SRI_MODE=live doctor checks it.)',
      }),
    ];
  }
  const now = () => signing.clock.now().getTime();
  const transport = openSriTransport(config);
  const asked = await Promise.all(
    Object.entries(sriUrls(config)).map(([name, url]) => ask(name, url, { transport, now })),
  );
  await transport.close();
  const { driftMs = null } = asked.find((each) => each.driftMs !== null) ?? {};
  return [...asked.map(({ finding }) => finding), ...(driftMs === null ? [] : [judgeClock(driftMs, signing.isShared)])];
}

// --- internal ---

interface SriReply {
  readonly finding: DoctorFinding;
  /** How far the clock is ahead of the SRI's; null if the SRI sent no date. */
  readonly driftMs: number | null;
}

async function ask(
  name: string,
  url: string,
  { transport, now }: { readonly transport: Transport; readonly now: () => number },
): Promise<SriReply> {
  const address = `${url}/RecepcionComprobantesOffline?wsdl`;
  const { host } = new URL(url);
  const began = now();
  try {
    const response = await transport(new Request(address));
    const middle = (began + now()) / 2;
    const date = Date.parse(response.headers.get('date') ?? '');
    // The header counts whole seconds.
    const driftMs = Number.isNaN(date) ? null : middle - (date + 500);
    const took = now() - began;
    const finding = response.ok
      ? fine('sri', { es: `${host} (${name}) responde en ${took} ms.`, en: `${host} (${name}) answers in ${took} ms.` })
      : warn('sri', {
          es: `${host} (${name}) responde HTTP ${response.status}.`,
          en: `${host} (${name}) answers HTTP ${response.status}.`,
          fix: {
            es: 'Suele ser una pausa del SRI: los comprobantes esperan y se reintentan solos.',
            en: 'Usually a pause of the SRI: documents wait, and are tried again by themselves.',
          },
        });
    return { finding, driftMs };
  } catch (error) {
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'TIMEOUT';
    return { finding: unreachable(new URL(url), code), driftMs: null };
  }
}

function unreachable(url: URL, code: string): DoctorFinding {
  const { host, hostname, origin } = url;
  const port = url.port || (url.protocol === 'http:' ? 80 : 443);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return fail('sri', {
      es: `No se encuentra ${host} (DNS, ${code}).`,
      en: `${host} is not found (DNS, ${code}).`,
      fix: `getent hosts ${hostname}`,
    });
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return fail('sri', {
      es: `El certificado TLS de ${host} no se admite (${code}): falta una raíz, o un intermediario lo cambia.`,
      en: `The TLS certificate of ${host} is not taken (${code}): a root is missing, or something between changes it.`,
      fix: `openssl s_client -connect ${hostname}:${port} -servername ${hostname} </dev/null | head -20`,
    });
  }
  if (code.startsWith('PROXY_')) {
    return fail('sri', {
      es: `El proxy de SRI_PROXY no conecta con ${host} (${code}).`,
      en: `The proxy of SRI_PROXY does not connect to ${host} (${code}).`,
      fix: {
        es: `Corrija SRI_PROXY en .env, o permita en el proxy ${hostname}, puerto ${port}`,
        en: `Correct SRI_PROXY in .env, or allow ${hostname}, port ${port}, in the proxy`,
      },
    });
  }
  return fail('sri', {
    es: `No hay conexión con ${host} (${code}).`,
    en: `There is no connection to ${host} (${code}).`,
    fix: {
      es: `Permita la salida por el puerto ${port}: curl -sSI ${origin}`,
      en: `Allow going out by port ${port}: curl -sSI ${origin}`,
    },
  });
}

function judgeClock(driftMs: number, isShared: boolean): DoctorFinding {
  const seconds = Math.round(driftMs / 1000);
  const ahead = { es: seconds > 0 ? 'adelantado' : 'atrasado', en: seconds > 0 ? 'ahead of' : 'behind' };
  if (Math.abs(seconds) < 30) {
    return fine('clock', { es: 'El reloj coincide con el del SRI.', en: "The clock agrees with the SRI's." });
  }
  const message = {
    es: `El reloj está ${ahead.es} ${Math.abs(seconds)} s respecto del SRI: una firma con hora futura se rechaza (FIRMA INVÁLIDA).`,
    en: `The clock is ${Math.abs(seconds)} s ${ahead.en} the SRI's: a signature from the future is refused (FIRMA INVÁLIDA).`,
  };
  const command = 'timedatectl set-ntp true';
  const fix = isShared
    ? { es: `En la máquina de la base de datos: ${command}`, en: `On the machine of the database: ${command}` }
    : command;
  return Math.abs(seconds) > 300 ? fail('clock', { ...message, fix }) : warn('clock', { ...message, fix });
}
