import { counted } from '../frame/format.js';

/** Counts of days as bars; every seventh day back from the last one is named. */
export function DayChart({
  days,
  title,
}: {
  readonly days: readonly { readonly date: string; readonly count: number }[];
  readonly title: string;
}) {
  const most = Math.max(5, ...days.map(({ count }) => count));
  return (
    <div
      class="chart"
      role="img"
      aria-label={`${title}: ${days.map(({ date, count }) => `${date} ${count}`).join(', ')}`}
    >
      <span class="hint">{counted(most)}</span>
      {days.map(({ date, count }, place) => (
        <div key={date} title={`${date}: ${counted(count)}`}>
          <span style={{ height: `${(100 * count) / most}%` }} />
          {(days.length - 1 - place) % 7 === 0 && <small>{date.slice(0, 5)}</small>}
        </div>
      ))}
    </div>
  );
}
