import type { IconNode } from 'lucide';

/** An icon of the set. Screen readers skip it and read the text next to it. */
export function Icon({ of, size = 18 }: { readonly of: IconNode; readonly size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {of.map(([Tag, attributes], place) => {
        const Shape = Tag as 'path';
        return <Shape key={place} {...(attributes as Record<string, string>)} />;
      })}
    </svg>
  );
}
