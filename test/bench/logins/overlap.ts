/**
 * How well one can tell two samples apart by a single value (Mann and Whitney): the
 * chance that a value of `b` is above one of `a`, ties counted half. 0.5: not at all.
 * The 95 % interval follows Hanley and McNeil (1982). Pure.
 */

export interface Overlap {
  readonly auc: number
  readonly low: number
  readonly high: number
}

const Z = 1.96

export function overlap(a: readonly number[], b: readonly number[]): Overlap {
  const [m, n] = [a.length, b.length]
  let wins = 0
  for (const x of a) for (const y of b) wins += y > x ? 1 : y === x ? 0.5 : 0
  const auc = wins / (m * n)
  const q1 = auc / (2 - auc)
  const q2 = (2 * auc * auc) / (1 + auc)
  const square = auc * auc
  const variance = (auc * (1 - auc) + (n - 1) * (q1 - square) + (m - 1) * (q2 - square)) / (m * n)
  const half = Z * Math.sqrt(Math.max(0, variance))
  return { auc, low: Math.max(0, auc - half), high: Math.min(1, auc + half) }
}
