/** A call of a repository beside the statement by hand, in rounds that alternate: what disturbs one side disturbs the other. */

/** @param n of the call, which is another one in each round and the same on both sides */
export type Work = (n: number) => unknown

export interface Compared {
  /** Calls of a round. */
  readonly calls: number
  readonly rounds: number
  /** Microseconds. */
  readonly clock: () => number
}

/** Rounds before those that count: code is compiled for as long as a server runs. */
const WARM_UP = 3

/** Prints a row of the table: the medians of both sides in us, and that of their ratios. */
export async function compare(name: string, ours: Work, hand: Work, { calls, rounds, clock }: Compared): Promise<void> {
  const times: Record<'ours' | 'hand', number[]> = { ours: [], hand: [] }
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    const sides = [['ours', ours] as const, ['hand', hand] as const]
    for (const [side, work] of round % 2 === 0 ? sides : sides.toReversed()) {
      const start = clock()
      for (let call = 0; call < calls; call += 1) await work(round * calls + call)
      if (round >= WARM_UP) times[side].push((clock() - start) / calls)
    }
  }
  const ratio = median(times.ours.map((time, round) => time / (times.hand[round] ?? Number.NaN)))
  const cells = [median(times.hand).toFixed(0), median(times.ours).toFixed(0), ratio.toFixed(2), '<= 1.3']
  process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`)
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
