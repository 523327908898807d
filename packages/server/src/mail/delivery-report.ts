/**
 * The reports of a mail provider, weakest first. An accepted mail may still bounce, and a complaint implies that the
 * mail arrived. So the strongest report wins, in any order.
 */
export const DELIVERY_REPORTS = ['deferred', 'delivered', 'bounced', 'complained'] as const;

/** One report: the mail waits, arrived, bounced, or was marked as unwanted. */
export type DeliveryReport = (typeof DELIVERY_REPORTS)[number];

/** Whether a report is new: neither a repetition nor a delay after a stronger report. */
export function isNews(report: DeliveryReport, before: readonly DeliveryReport[]): boolean {
  return report === 'deferred' ? before.length === 0 : !before.includes(report);
}

/** Whether a report is stronger than all before it, and so decides the state of the mail. */
export function prevails(report: DeliveryReport, before: readonly DeliveryReport[]): boolean {
  const rank = (of: DeliveryReport) => DELIVERY_REPORTS.indexOf(of);
  return before.every((earlier) => rank(earlier) < rank(report));
}
