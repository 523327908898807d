import type { ExportSlots } from './export-slots.js';

export { createExportSlots } from './export-slots.js';
export { retryMail } from './retry-mail.js';
export {
  type AddedDocuments,
  addDocuments,
  countDocuments,
  findIssuerOwners,
  type IssuerOwner,
  type NewCount,
} from './usage-rows.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** The exports that run at once. */
    readonly exportSlots: ExportSlots;
  }
}
