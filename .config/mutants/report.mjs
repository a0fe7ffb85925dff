/** What a run over mutants says. */

/** The same ones for the same seed, spread over all. */
export function sampleOf(mutants, { sample, seed }) {
  const wanted = Number(sample ?? mutants.length)
  if (wanted >= mutants.length) return mutants
  // A linear congruential generator (Numerical Recipes): enough to shuffle with.
  let state = Number(seed) >>> 0
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const chosen = new Set()
  while (chosen.size < wanted) chosen.add(Math.floor(random() * mutants.length))
  return mutants.filter((_mutant, index) => chosen.has(index))
}

/** @param verdicts of `Judge.verdicts`, in the order of the mutants */
export function summary(mutants, verdicts, { all, equivalent }) {
  const of = (wanted) => mutants.filter((_mutant, index) => wanted(verdicts[index]))
  const survived = of((verdict) => verdict === null)
  const untested = of((verdict) => verdict === undefined)
  const killed = mutants.length - survived.length - untested.length
  const rate = mutants.length === 0 ? 100 : Math.floor((killed / mutants.length) * 100)
  const line = (what) => (mutant) => `${mutant.place}  ${what}  ${mutant.change}\n`
  return [
    ...survived.map(line('survived')),
    ...untested.map(line('no test')),
    `${mutants.length} of ${all} mutants${equivalent === 0 ? '' : `, ${equivalent} change nothing`}\n`,
    `${killed} killed, ${survived.length} survived, ${untested.length} without a test: ${rate} %\n`
  ].join('')
}
