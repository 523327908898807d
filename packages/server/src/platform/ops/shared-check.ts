/**
 * The same check, of which one runs at a time: its result answers all who ask while it runs. So the database is asked by
 * one, however many call a public route.
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
