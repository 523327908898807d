import type { ExportPlaces } from './export-places.js';

export { createExportPlaces } from './export-places.js';
export { retryMail } from './retry-mail.js';
export { addAllDocuments, addDocumentsOf, countDocuments, findIssuerOwners, type IssuerOwner } from './usage-rows.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** The exports that run at once. */
    readonly exportPlaces: ExportPlaces;
  }
}
