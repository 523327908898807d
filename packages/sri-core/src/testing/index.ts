/** Subpath `sri-core/testing`: test helpers for users of this library, independent of any test runner. */
export { createMemoryStorage } from './memory-storage.js';
export { type MswHttp, sriHandlers } from './msw.js';
export { drillOutage, type OutageDrill, type OutageOutcome } from './outage-drill.js';
export { type ConformanceCase, storageConformance } from './storage-conformance.js';
export { createTestClock, type TestClock } from './test-clock.js';
export {
  createTestIdentity,
  createTestP12,
  createTestSigner,
  type TestIdentity,
  type TestP12Options,
} from './test-p12.js';
