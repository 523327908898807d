/**
 * What a mail's provider may report of it, weakest first. A mail that was taken may still come back, and whoever complains
 * of one has it: so reports in any order come to the same, the strongest of them.
 */
export const DELIVERY_REPORTS = ['deferred', 'delivered', 'bounced', 'complained'] as const;

/** One report: it waits, it arrived, it came back, or its reader called it unwanted. */
export type DeliveryReport = (typeof DELIVERY_REPORTS)[number];

/** Whether a report tells something: it was not made before, and it is no delay of what has been settled since. */
export function isNews(report: DeliveryReport, before: readonly DeliveryReport[]): boolean {
  return report === 'deferred' ? before.length === 0 : !before.includes(report);
}

/** Whether a report is stronger than all that came before it, so that it says how the mail stands from now on. */
export function prevails(report: DeliveryReport, before: readonly DeliveryReport[]): boolean {
  const rank = (of: DeliveryReport) => DELIVERY_REPORTS.indexOf(of);
  return before.every((earlier) => rank(earlier) < rank(report));
}
