/**
 * What batches of two builds say of a case. Two figures have to agree: the median of the ratios of neighbouring batches,
 * between which a machine hardly changes, and the ratio of the lowest eighths of both sides, which load from elsewhere
 * has disturbed least. Where one alone is beyond the allowance, nothing is settled.
 */

/** Costs of two batches, one right after the other, in any one unit. */
export interface Pair {
  readonly before: number
  readonly now: number
}

export type Outcome = 'holds' | 'unsettled' | 'slower'

export interface Verdict {
  /** Each is now / before: above 1 it costs more now. */
  readonly median: number
  readonly lowestEighth: number
  /** The middle half of the ratios of single pairs. */
  readonly spread: readonly [from: number, to: number]
  readonly outcome: Outcome
}

/**
 * Processes differ from each other by more than their batches, as the compiler happens to treat a build better in one of
 * them: so each process has its own figures, and the median of those counts.
 *
 * @param processes the pairs of each process, at least one @param allowed how much may be lost, as a share: 0.05
 */
export function verdictOf(processes: ReadonlyArray<readonly Pair[]>, allowed: number): Verdict {
  const ratios = processes.map((pairs) => ascending(pairs.map(({ before, now }) => now / before)))
  const median = middle(ratios.map((sorted) => at(sorted, 0.5)))
  const lowestEighth = middle(processes.map(ratioOfLowestEighths))
  const all = ascending(ratios.flat())
  const beyond = [median, lowestEighth].filter((ratio) => ratio > 1 + allowed).length
  const outcomes: readonly Outcome[] = ['holds', 'unsettled', 'slower']
  return { median, lowestEighth, spread: [at(all, 0.25), at(all, 0.75)], outcome: outcomes[beyond] as Outcome }
}

function ratioOfLowestEighths(pairs: readonly Pair[]): number {
  const before = ascending(pairs.map((pair) => pair.before))
  const now = ascending(pairs.map((pair) => pair.now))
  return at(now, 1 / 8) / at(before, 1 / 8)
}

/** Of an even number the geometric mean of the two in the middle: 2 and 1/2 make 1. */
function middle(ratios: readonly number[]): number {
  const sorted = ascending(ratios)
  return Math.sqrt(at(sorted, 0.5) * at(sorted.toReversed(), 0.5))
}

function ascending(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b)
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}
