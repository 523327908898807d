import { LANGUAGES, type Language } from './catalogs/catalog.js';
import { requireChoice, requireFlag, requireOptions } from './choice.js';
import { type Clock, systemClock } from './clock.js';
import { ENVIRONMENTS, type Environment } from './environment.js';
import type { LifecycleContext } from './lifecycle/context.js';
import type { EngineIssuer, IssuerSource } from './lifecycle/issuer-source.js';
import { checkedSchedule, DEFAULT_SCHEDULE, type Schedule } from './lifecycle/schedule.js';
import { type Logger, silentLogger, unfailingLogger } from './logger.js';
import { nearestWord } from './nearest-word.js';
import { type Random, systemRandom } from './random.js';
import type { RideInput } from './ride/pdf.js';
import { requireSigner } from './signing/require-signer.js';
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from './signing/signer.js';
import { createSriClient, type IssuingCalls, SRI_URLS } from './sri/soap-client.js';
import type { Transport } from './sri/transport.js';
import type { Scope, Storage } from './storage.js';

/** The options of an engine. `storage`, `issuers` and `transport` are required; every other port has a default. */
export interface EngineOptions {
  readonly storage: Storage;
  /** The issuers, or a source to look them up. */
  readonly issuers: readonly EngineIssuer[] | IssuerSource;
  /**
   * The transport to the SRI: one for both environments, or one each. `undiciTransport()` calls the SRI, in its test
   * environment too. `createSimulator().handle` of `sri-core/simulator` stays in this process. There is no default, so that
   * no document leaves by accident.
   */
  readonly transport: Transport | Readonly<Record<Environment, Transport>>;
  /** Base addresses up to and including `/comprobantes-electronicos-ws`. Default: the SRI's two hosts. */
  readonly sriUrls?: Partial<Readonly<Record<Environment, string>>>;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  /** Default `rsa-sha1`, as the Ficha técnica names it. */
  readonly signatureAlgorithm?: SignatureAlgorithm;
  /** RUC of the software provider, added to every document as «RUC Proveedor». */
  readonly softwareProviderRuc?: string | undefined;
  /** Turns warnings about sums and identifiers into errors. Default false. */
  readonly strict?: boolean;
  /** Language of warnings and of error messages. Default `es`. */
  readonly language?: Language;
  /** Requires `taxableBase` and `taxAmount` instead of computing absent ones. Default false. */
  readonly requireAmounts?: boolean;
  readonly schedule?: Partial<Schedule>;
  /**
   * Called before each submission. While it returns false, queued documents wait without using up an attempt; authorization
   * queries continue. Default: always true.
   */
  readonly maySend?: (scope: Scope) => Promise<boolean>;
  /**
   * Renders a RIDE, for programs that render in another thread: a long document takes 100 ms of CPU. Default: `renderRide`,
   * in this thread.
   */
  readonly printRide?: (input: RideInput) => Promise<Uint8Array>;
  /**
   * Returns the owner of an issuer's calls to the SRI. Owners share the call slots fairly, for queued work and for calls on
   * demand. It is called often; the owner of an issuer must not change. Default: each issuer is its own owner.
   */
  readonly ownerOf?: (issuerId: string) => string | Promise<string>;
}

/** The options as the lifecycle takes them. */
type CheckedOptions = Omit<LifecycleContext, 'newId' | 'hosts' | 'slots' | 'turns' | 'emit' | 'wake' | 'takeSlot'>;

/**
 * Checks the options of an engine and fills in the defaults. Untyped programs would otherwise fail at their first document.
 *
 * @throws TypeError
 */
export function checkedOptions(options: EngineOptions): CheckedOptions {
  requireSpelling(options);
  requireFlag(options.strict, 'strict');
  requireFlag(options.requireAmounts, 'requireAmounts');
  for (const name of ['maySend', 'ownerOf', 'printRide'] as const)
    if (typeof (options[name] ?? Object) !== 'function') throw new TypeError(`${name} has to be a function.`);
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const { language = 'es', signatureAlgorithm = 'rsa-sha1' } = options;
  requireChoice(LANGUAGES, language, 'language');
  requireChoice(SIGNATURE_ALGORITHMS, signatureAlgorithm, 'signatureAlgorithm');
  if (typeof options.storage?.nextSequential !== 'function')
    throw new TypeError('createEngine needs a storage, such as createSqliteStorage({ database }).');
  requireOptions(Object.keys(DEFAULT_SCHEDULE), options.schedule ?? {}, 'schedule');
  // An address that is ignored leaves that of the SRI.
  requireOptions(ENVIRONMENTS, options.sriUrls ?? {}, 'sriUrls');
  const schedule = checkedSchedule(withDefaults<Schedule>(DEFAULT_SCHEDULE, options.schedule));
  return {
    storage: options.storage,
    issuers: toIssuerSource(options.issuers),
    sri: toSriClient(options, clock, random, schedule),
    clock,
    random,
    logger: unfailingLogger(options.logger ?? silentLogger),
    schedule,
    signatureAlgorithm,
    softwareProviderRuc: options.softwareProviderRuc,
    strict: options.strict ?? false,
    language,
    requireAmounts: options.requireAmounts ?? false,
    maySend: options.maySend ?? (async () => true),
    ownerOf: options.ownerOf ?? ((issuerId) => issuerId),
  };
}

// --- internal ---

const OPTIONS = [
  'storage',
  'issuers',
  'transport',
  'sriUrls',
  'clock',
  'random',
  'logger',
  'signatureAlgorithm',
  'softwareProviderRuc',
  'strict',
  'language',
  'requireAmounts',
  'schedule',
  'maySend',
  'printRide',
  'ownerOf',
] satisfies (keyof EngineOptions)[];

/** Rejects a misspelt option. Programs may pass more than the options, but a typo would leave a default. @throws TypeError */
function requireSpelling(options: EngineOptions): void {
  if (!options) throw new TypeError('createEngine needs options: storage, issuers and transport.');
  for (const name of Object.keys(options)) {
    const meant = (OPTIONS as string[]).includes(name) ? null : nearestWord(name, OPTIONS);
    if (meant) throw new TypeError(`createEngine has no option "${name}"; the nearest one is ${meant}.`);
  }
}

/** The options with a value, over the defaults: an environment variable that is not set gives `undefined`. */
function withDefaults<T extends object>(defaults: T, options: Partial<T> = {}): T {
  return { ...defaults, ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) };
}

function toIssuerSource(issuers: EngineOptions['issuers']): IssuerSource {
  if (!isList(issuers)) {
    if (typeof issuers?.find === 'function') return issuers;
    throw new TypeError('createEngine needs issuers: a list, or a source with find().');
  }
  const byId = new Map(issuers.map((issuer) => [issuer.id, issuer]));
  // The last of them would issue the documents of all.
  if (byId.size < issuers.length) throw new TypeError('createEngine got two issuers of the same id.');
  for (const { id, signer } of issuers) requireSigner(signer, `The signer of the issuer "${id}"`);
  return { find: async (issuerId) => byId.get(issuerId) ?? null };
}

/** `Array.isArray` does not narrow a readonly list away. */
function isList(issuers: EngineOptions['issuers']): issuers is readonly EngineIssuer[] {
  return Array.isArray(issuers);
}

function toSriClient(options: EngineOptions, clock: Clock, random: Random, schedule: Schedule): IssuingCalls {
  const urls = withDefaults<Readonly<Record<Environment, string>>>(SRI_URLS, options.sriUrls);
  const client = (transport: Transport) =>
    createSriClient({ transport, urls, clock, random, timeoutMs: schedule.timeoutMs });
  const { transport } = options;
  if (!transport) throw new TypeError('createEngine needs a transport: undiciTransport(), or that of a simulator.');
  if (typeof transport === 'function') return client(transport);
  for (const environment of ENVIRONMENTS) {
    if (typeof transport[environment] !== 'function') {
      throw new TypeError(`createEngine needs a transport for ${environment} too, or one function for both.`);
    }
  }
  const clients = { sandbox: client(transport.sandbox), production: client(transport.production) };
  return {
    submit: (environment, ...rest) => clients[environment].submit(environment, ...rest),
    authorization: (environment, ...rest) => clients[environment].authorization(environment, ...rest),
  };
}
