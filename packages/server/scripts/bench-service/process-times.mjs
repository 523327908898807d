// Processor time of other processes. Only Linux reports it.
import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of Linux, the same on every machine it runs on. */
const TICKS_PER_SECOND = 100;

/** The process that started another one; null where the system does not report it. */
export function parentOf(pid) {
  return readTimes(pid)?.parent ?? null;
}

/** Processor time in ms of a process and its children, including ended ones; null if it is not reported. */
export function familyMs(pid) {
  const own = readTimes(pid);
  if (!own) return null;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readTimes)
    .filter((one) => one?.parent === pid);
  const ticks = children.reduce((sum, child) => sum + child.ticks, own.ticks + own.ofEnded);
  return (ticks * 1_000) / TICKS_PER_SECOND;
}

function readTimes(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  // The name of the program is in parentheses and may contain any text. See proc(5).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  return { parent: Number(fields[1]), ticks: user + system, ofEnded: endedUser + endedSystem };
}
