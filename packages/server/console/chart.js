import { h, svg } from './dom.js';
import { t } from './texts.js';

const WIDTH = 640;
const HEIGHT = 160;
const GAP = 3;

/**
 * Bars, one a day. The same figures follow as a table for screen readers.
 *
 * @param {readonly { date: string, count: number }[]} days oldest first
 * @param {string} about what is counted
 */
export function dayChart(days, about) {
  const most = Math.max(1, ...days.map(({ count }) => count));
  const step = WIDTH / days.length;
  const bars = days.map(({ date, count }, place) => {
    const height = count === 0 ? 1 : Math.max(3, (count / most) * (HEIGHT - 24));
    const bar = svg('rect', {
      class: count === 0 ? 'bar none' : 'bar',
      x: place * step + GAP / 2,
      y: HEIGHT - 16 - height,
      width: step - GAP,
      height,
      rx: 2,
    });
    bar.append(svg('title', {}, `${date}: ${count}`));
    return bar;
  });
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? ''];
  return h(
    'figure',
    { class: 'chart' },
    svg(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true', focusable: 'false' },
      ...bars,
      svg('text', { x: 0, y: HEIGHT - 2 }, first),
      svg('text', { x: WIDTH, y: HEIGHT - 2, 'text-anchor': 'end' }, last),
      svg('text', { x: 0, y: 10 }, t('atMost', { count: most })),
    ),
    h('figcaption', {}, about),
    h(
      'div',
      { class: 'unseen' },
      h(
        'table',
        {},
        h('caption', {}, about),
        days.map(({ date, count }) => h('tr', {}, h('th', { scope: 'row' }, date), h('td', {}, count))),
      ),
    ),
  );
}
