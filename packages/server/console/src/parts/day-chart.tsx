import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { counted } from '../frame/format.js';
import { language } from '../frame/language.js';

/** Counts of days as bars. `days` are `2026-11-21`, or as documents write them. */
export default function DayChart({
  days,
  title,
}: {
  readonly days: readonly { readonly date: string; readonly count: number }[];
  readonly title: string;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const style = getComputedStyle(element);
    // Read at each drawing, because the colour scheme may change.
    const colour = (name: string) => () => style.getPropertyValue(name);
    const axis = {
      stroke: colour('--soft'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      font: '12px system-ui',
    };
    const format = new Intl.DateTimeFormat(`${language()}-EC`, { day: 'numeric', month: 'short', timeZone: 'UTC' });
    const sized = () => ({ width: element.clientWidth, height: 180 });
    const plot = new uPlot(
      {
        ...sized(),
        legend: { show: false },
        cursor: { show: false },
        padding: [8, 24, 0, 0],
        scales: {
          x: { range: (_plot, min, max) => [min - 43_200, max + 43_200] },
          y: { range: (_plot, _min, max) => [0, Math.max(5, max)] },
        },
        axes: [
          {
            ...axis,
            size: 30,
            grid: { show: false },
            // Each label is below its bar, and today always has one.
            splits: (drawn) => {
              const step = Math.ceil((days.length * LABEL_WIDTH) / drawn.width);
              return days
                .filter((_, index) => (days.length - 1 - index) % step === 0)
                .map(({ date }) => secondsOf(date));
            },
            values: (_plot, at) => at.map((second) => format.format(second * 1000)),
          },
          {
            ...axis,
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000],
            size: 44,
            values: (_plot, at) => at.map(counted),
          },
        ],
        series: [
          {},
          {
            fill: colour('--accent'),
            paths: uPlot.paths.bars?.({ size: [0.7, 40] }) as uPlot.Series.PathBuilder,
            points: { show: false },
          },
        ],
      },
      [days.map(({ date }) => secondsOf(date)), days.map(({ count }) => count)],
      element,
    );
    const watch = new ResizeObserver(() => plot.setSize(sized()));
    watch.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => plot.redraw();
    scheme.addEventListener('change', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      watch.disconnect();
      plot.destroy();
    };
  }, [days]);
  return (
    <div
      ref={place}
      class="chart"
      role="img"
      aria-label={`${title}: ${days.map(({ date, count }) => `${date} ${count}`).join(', ')}`}
    />
  );
}

// --- internal ---

/** Pixels, including the space around it. */
const LABEL_WIDTH = 60;

function secondsOf(day: string): number {
  const iso = day.includes('/') ? day.split('/').reverse().join('-') : day;
  return new Date(`${iso}T12:00:00Z`).getTime() / 1000;
}
