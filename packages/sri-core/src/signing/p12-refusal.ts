/** Why a container cannot be opened; it leaves the thread as plain data. */
export class P12Refusal extends Error {
  readonly outcome: 'wrongPassword' | 'invalid';

  constructor(outcome: 'wrongPassword' | 'invalid', message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** The container uses an unsupported algorithm. */
export function unsupportedAlgorithm(kind: string, oid: string): P12Refusal {
  return new P12Refusal('invalid', `The container uses a ${kind} that is not supported (${oid.slice(0, 64)}).`);
}
