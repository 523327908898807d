import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The path of the machine's Chromium; null without one. */
export const chromiumPath: string | null =
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path)) ?? null;

/** Starts that Chromium headless. @param more further arguments. @throws Error if the machine has none. */
export function openBrowser(more: readonly string[] = []): Promise<Browser> {
  if (!chromiumPath) throw new Error('There is no Chromium on this machine.');
  // Root in a container cannot start a sandbox. The browser opens only this repository's pages.
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', ...more] });
}
