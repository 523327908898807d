import type { RideFact, RidePanel } from '../documents/ride-content.js';
import {
  type LabelledText,
  LEFT,
  labelled,
  labelledHeight,
  type Page,
  printLabelled,
  type Strip,
  type Style,
  WIDTH,
} from './page.js';
import { clampLines } from './wrap.js';

/** The panel with its text broken to lines, so that its height is known before printing. Null when it has no content. */
export function measurePanel(panel: RidePanel): Strip | null {
  const inner = WIDTH - 2 * PADDING;
  const hasRight = panel.right.some(([, value]) => value !== null);
  const leftWidth = hasRight ? inner * LEFT_SHARE : inner;
  const rightX = LEFT + PADDING + leftWidth + GAP;
  const left = paragraphs(panel.left, leftWidth);
  const right = paragraphs(panel.right, LEFT + WIDTH - PADDING - rightX);
  const below = paragraphs(panel.below ?? [], inner);
  if (left.length + right.length + below.length === 0) return null;
  const columns = Math.max(stackHeight(left), stackHeight(right));
  const height = columns + stackHeight(below) + 2 * PADDING - SPACE - 5;
  return {
    height,
    print: (page, y) => {
      const start = y + PADDING - 2;
      stack(page, left, LEFT + PADDING, start);
      stack(page, right, rightX, start);
      stack(page, below, LEFT + PADDING, start + columns);
      page.frames.push({ x: LEFT, y, width: WIDTH, height });
    },
  };
}

/** Facts as paragraphs of a width; facts without a value are left out, and values longer than `most` lines are cut. */
export function paragraphs(
  facts: readonly RideFact[],
  width: number,
  style: Style = STYLE,
  most = MOST_LINES,
): readonly LabelledText[] {
  return facts.flatMap(([label, value]) => {
    if (value === null) return [];
    const text = labelled(label, value, style, width);
    return [{ ...text, value: clampLines(text.value, most) }];
  });
}

/** Prints paragraphs below each other. @returns the `y` below them. */
export function stack(page: Page, texts: readonly LabelledText[], x: number, y: number): number {
  let next = y;
  for (const text of texts) next = printLabelled(page, text, x, next) + SPACE;
  return next;
}

// --- internal ---

/** The height of paragraphs below each other. */
function stackHeight(texts: readonly LabelledText[]): number {
  return texts.reduce((total, text) => total + labelledHeight(text) + SPACE, 0);
}

const PADDING = 8;
const GAP = 12;
const SPACE = 1.5;
const LEFT_SHARE = 0.64;
const STYLE: Style = { size: 8 };
/** Enough for the 300 characters of the schema; longer text is cut, so that no page overflows. */
const MOST_LINES = 10;
