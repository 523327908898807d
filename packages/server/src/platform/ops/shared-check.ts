/**
 * The same check, with one run at a time: its result answers all calls made while it runs. So the database gets one
 * query, however many clients call a public route.
 */
export function shareCheck<T>(check: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= check().finally(() => {
      running = null;
    });
    return running;
  };
}
