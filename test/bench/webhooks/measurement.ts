/** What the measurements of the webhooks benchmark have in common. */

/** One measurement. */
export interface Measurement {
  /** What it is chosen by on the command line. */
  readonly name: string
  /**
   * @param rounds how often each side is measured; the sides take turns
   * @param count operations in one round
   * @returns lines of a Markdown table
   */
  measure(rounds: number, count: number): Promise<string[]>
}

/** The middle one of an odd number of values, the upper middle one of an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
