import { expect, it } from 'vitest';
import { createDueMark } from './due-mark.js';

const START = Date.UTC(2026, 10, 21, 15);
const at = (ms: number) => new Date(START + ms);

/** A mark, and a look that returns the time from which it reads: relative to the start, null for all. */
function watchMark() {
  const mark = createDueMark();
  const look = async (ms: number, { left, during }: { left?: number; during?: () => void } = {}) =>
    mark.look(at(ms), async (from) => {
      during?.();
      return { result: from === null ? null : from - START, oldestLeft: left === undefined ? null : START + left };
    });
  return { mark, look };
}

it('a look begins at the look before it, and the first look at the beginning', async () => {
  const { mark, look } = watchMark();
  expect(mark.from()).toBeNull();
  expect(await look(0)).toBeNull();
  expect(mark.from()).toBe(START);
  expect(await look(100)).toBe(0);
  expect(await look(250)).toBe(100);
});

it('a look begins at a job that an earlier look left', async () => {
  const { look } = watchMark();
  await look(0);
  await look(500, { left: 20 });
  expect(await look(600, { left: 20 })).toBe(20);
  expect(await look(700)).toBe(20);
  expect(await look(800)).toBe(700);
});

it('a job of this process is never behind the mark, even when it is stored during a look', async () => {
  const { mark, look } = watchMark();
  await look(0);
  await look(500);
  mark.stored(at(450));
  expect(await look(510, { during: () => mark.stored(at(480)) })).toBe(450);
  expect(await look(520)).toBe(480);
  mark.stored(at(60_000));
  mark.stored(null);
  expect(await look(530)).toBe(520);
});

it('a look begins three seconds before the mark once a second, for jobs of other processes', async () => {
  const { look } = watchMark();
  await look(0);
  expect(await look(999)).toBe(0);
  expect(await look(1_000)).toBe(999 - 3_000);
  expect(await look(1_999)).toBe(1_000);
  expect(await look(2_000)).toBe(1_999 - 3_000);
});

it('a look reads everything every two minutes, and after a clock that went back', async () => {
  const { look } = watchMark();
  await look(0);
  expect(await look(119_999)).not.toBeNull();
  expect(await look(120_000)).toBeNull();
  expect(await look(120_001)).toBe(120_000);
  expect(await look(60_000)).toBeNull();
  expect(await look(60_500)).toBe(60_000);
});

it('a failed look leaves the mark unchanged', async () => {
  const { mark, look } = watchMark();
  await look(0);
  await expect(mark.look(at(700), () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await look(800)).toBe(0);
});
