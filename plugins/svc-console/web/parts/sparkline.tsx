/** Counts over time in a row of a list: two shapes, however many there are, so that thousands of rows scroll. */

interface SparklineProps {
  readonly good: readonly number[]
  /** On top of what went well. */
  readonly bad: readonly number[]
  /** The same in words. */
  readonly label: string
}

const HEIGHT = 20

export function Sparkline({ good, bad, label }: SparklineProps) {
  const most = Math.max(1, ...good.map((count, index) => count + (bad[index] ?? 0)))
  const bars = (from: (index: number) => number, size: readonly number[]) =>
    size.map((count, index) => bar(index, (from(index) / most) * HEIGHT, (count / most) * HEIGHT)).join('')
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${good.length * 4} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="good" d={bars(() => 0, good)} />
      <path class="bad" d={bars((index) => good[index] ?? 0, bad)} />
    </svg>
  )
}

/** @param bottom above the ground */
function bar(index: number, bottom: number, height: number): string {
  return height === 0 ? '' : `M${index * 4} ${HEIGHT - bottom}v${-height}h3v${height}z`
}
