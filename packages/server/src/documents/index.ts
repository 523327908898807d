export { retryMail } from './retry-mail.js';
export { addDocuments, addDocumentsOf, countDocuments, findIssuerOwner, type IssuerOwner } from './usage-rows.js';
