import { printable, type Terminal } from 'sri-core/cli';

/** The progress of a batch: a redrawn bar on a terminal, a line for each document elsewhere. @param quiet prints nothing */
export function createProgress(terminal: Terminal, total: number, quiet: boolean) {
  let done = 0;
  const bar = () => {
    const filled = Math.round((done / Math.max(total, 1)) * WIDTH);
    return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done}/${total}`;
  };
  return {
    step(line: string) {
      done += 1;
      if (quiet) return;
      const clean = printable(line);
      terminal.complain(
        terminal.isInteractive ? `\r\u001b[K${bar()} ${clean.slice(0, 100)}` : `${done}/${total} ${clean}\n`,
      );
    },
    end() {
      if (!quiet && terminal.isInteractive) terminal.complain(`\r\u001b[K${bar()}\n`);
    },
  };
}

// --- internal ---

const WIDTH = 24;
