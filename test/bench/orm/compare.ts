/** A call of a repository beside the statement by hand, in rounds that alternate: what disturbs one side disturbs the other. */

export type Work = (round: number) => Promise<unknown>

/** Prints a row of the table: the medians of both sides in us, and that of their ratios. @param calls of a round */
export async function compare(name: string, calls: number, rounds: number, ours: Work, hand: Work): Promise<void> {
  const times: Record<'ours' | 'hand', number[]> = { ours: [], hand: [] }
  for (let round = 0; round <= rounds; round += 1) {
    const sides = [['ours', ours] as const, ['hand', hand] as const]
    for (const [side, work] of round % 2 === 0 ? sides : sides.toReversed()) {
      const start = performance.now()
      for (let call = 0; call < calls; call += 1) await work(call)
      if (round > 0) times[side].push(((performance.now() - start) / calls) * 1000)
    }
  }
  const ratio = median(times.ours.map((time, round) => time / (times.hand[round] ?? Number.NaN)))
  const cells = [median(times.hand).toFixed(0), median(times.ours).toFixed(0), ratio.toFixed(2), '<= 1.3']
  process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
