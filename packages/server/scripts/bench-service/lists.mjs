// Measures lists over HTTP for an account that has most of a million documents: pages with each filter and sort, and
// with several at once. Each request has another value.
import { randomInt } from 'node:crypto';
import { pickBuyer } from './business.mjs';
import { openFilledPlace, STORED } from './filled-place.mjs';
import { startAgain } from './start-again.mjs';
import { percentile } from './tools.mjs';

const TIMES = Number(process.env.BENCH_LISTS ?? 100);
const LIMIT = 20;
const GOAL_MS = 100;

export async function run(tools) {
  for (const database of tools.databases) {
    const { place, account } = await openFilledPlace(tools, database);
    const server = await startAgain(tools, place);
    const ask = async (query) => {
      const from = performance.now();
      const response = await fetch(`${server.url}/v1/documents?${new URLSearchParams(query)}`, { headers: account });
      const body = await response.json();
      if (!response.ok) throw new Error(`A list was refused: ${JSON.stringify(body)}`);
      return { ms: performance.now() - from, body };
    };
    const { body: newest } = await ask({ limit: 1 });
    const { body: oldest } = await ask({ limit: 1, sortBy: 'issueDate', sortDir: 'asc' });
    const questions = questionsOf({
      total: newest.pagination.total,
      days: [oldest, newest].map(({ data }) => toDay(data[0].issueDate)),
    });
    const all = [];
    for (const [name, question] of Object.entries(questions)) {
      const taken = [];
      for (let times = 0; times < TIMES; times += 1) taken.push((await ask({ limit: LIMIT, ...question() })).ms);
      all.push(...taken);
      tools.print(`${database}-list-${name}-p50`, percentile(taken, 0.5), 'ms');
      tools.print(`${database}-list-${name}-p99`, percentile(taken, 0.99), 'ms');
    }
    tools.print(`${database}-list-p99-at-${STORED}`, percentile(all, 0.99), 'ms', { atMost: GOAL_MS });
    await server.stop();
  }
}

// --- internal ---

/** The queries by name. Each call of one returns another query. */
function questionsOf({ total, days: [first, last] }) {
  const pages = Math.ceil(total / LIMIT);
  const page = () => 1 + randomInt(pages);
  const month = () => {
    const from = first + Math.floor(Math.random() * (last - first + 1));
    return { from: toDate(from), to: toDate(from + 30) };
  };
  const words = () => pickBuyer(STORED).name.split(' ');
  const family = () => words().at(-1);
  const letters = (length) => family().slice(0, length);
  const digits = (length) => String(randomInt(10 ** (length - 1), 10 ** length));
  return {
    newest: () => ({}),
    'any-page': () => ({ page: page() }),
    'authorized-any-page': () => ({ status: 'AUTHORIZED', page: page() }),
    returned: () => ({ status: 'RETURNED' }),
    month: () => month(),
    'month-and-status': () => ({ ...month(), status: 'AUTHORIZED' }),
    'number-of-3-digits': () => ({ sequential: digits(3) }),
    'number-of-6-digits': () => ({ sequential: digits(6) }),
    'name-of-2-letters': () => ({ buyerName: letters(2) }),
    'name-of-4-letters': () => ({ buyerName: letters(4) }),
    'two-names': () => ({ buyerName: words().slice(2).join(' ') }),
    'name-and-status': () => ({ buyerName: family(), status: 'AUTHORIZED' }),
    'name-and-month': () => ({ buyerName: family(), ...month() }),
    'number-and-status': () => ({ sequential: digits(4), status: 'AUTHORIZED' }),
    'by-number-any-page': () => ({ sortBy: 'sequential', sortDir: 'asc', page: page() }),
    'by-name-any-page': () => ({ sortBy: 'buyerName', page: page() }),
    'by-status-any-page': () => ({ sortBy: 'status', page: page() }),
    'by-day-any-page': () => ({ sortBy: 'issueDate', page: page() }),
  };
}

const DAY_MS = 86_400_000;

/** @param date DD/MM/YYYY @returns days since 1970. */
function toDay(date) {
  const [day, month, year] = date.split('/').map(Number);
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

function toDate(day) {
  return new Date(day * DAY_MS).toISOString().slice(0, 10).split('-').reverse().join('/');
}
