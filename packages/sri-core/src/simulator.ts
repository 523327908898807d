/** Subpath `sri-core/simulator`: an SRI in memory, for tests, demonstrations and sandboxes. */
export { type Disturbance, SimulatedNetworkError } from './sri/simulator/disturbance.js';
export { MAGIC_BUYERS, type MagicBuyer, type MagicEffect } from './sri/simulator/magic-buyers.js';
export {
  MAGIC_ISSUER_RUC,
  MAGIC_KEYS,
  type MagicKey,
  type MagicKeyState,
  magicKey,
} from './sri/simulator/magic-keys.js';
export { toNodeListener } from './sri/simulator/node-listener.js';
export {
  createSimulator,
  type Simulator,
  type SimulatorEntry,
  type SimulatorOptions,
} from './sri/simulator/simulator.js';
