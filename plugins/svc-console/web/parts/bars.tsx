/** Counts over time as bars: what went well, and on top of it what did not. */

export interface Bar {
  /** Unique in its chart; shown where the pointer rests. */
  readonly title: string
  readonly good: number
  readonly bad: number
}

const SIZE = { width: 10, gap: 2, height: 40 }

export function Bars({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) {
  const most = Math.max(1, ...bars.map(({ good, bad }) => good + bad))
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${bars.length * (SIZE.width + SIZE.gap)} ${SIZE.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map(({ title, good, bad }, index) => {
        const [high, low] = [(good / most) * SIZE.height, (bad / most) * SIZE.height]
        const x = index * (SIZE.width + SIZE.gap)
        return (
          <g key={title}>
            <title>{title}</title>
            <rect class="good" x={x} width={SIZE.width} y={SIZE.height - high} height={high} />
            <rect class="bad" x={x} width={SIZE.width} y={SIZE.height - high - low} height={low} />
          </g>
        )
      })}
    </svg>
  )
}
