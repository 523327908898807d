import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The path of the machine's Chromium; null without one. */
export const chromiumPath: string | null =
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path)) ?? null;

/** Starts that Chromium headless. @throws Error if the machine has none. */
export function openBrowser(): Promise<Browser> {
  if (!chromiumPath) throw new Error('There is no Chromium on this machine.');
  // A container's root has no sandbox of its own to start one in; nothing but this repository's pages is opened.
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
}
