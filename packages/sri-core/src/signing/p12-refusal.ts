/** Why a container is not opened; it crosses from the thread as plain data. */
export class P12Refusal extends Error {
  readonly outcome: 'wrongPassword' | 'invalid';

  constructor(outcome: 'wrongPassword' | 'invalid', message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** The container asks for an algorithm that is not read here. */
export function unsupportedAlgorithm(kind: string, oid: string): P12Refusal {
  return new P12Refusal('invalid', `The container uses a ${kind} that is not supported (${oid.slice(0, 64)}).`);
}
