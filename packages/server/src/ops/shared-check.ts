/**
 * The same check, of which one runs at a time: who asks while it does is told what it finds. So however many ask, at a
 * route that everybody may call, the database is asked by one.
 */
export function shareCheck(check: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= check().finally(() => {
      running = null;
    });
    return running;
  };
}
