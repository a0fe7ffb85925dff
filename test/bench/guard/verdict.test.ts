/** A case is slower where both figures say so, and unsettled where one does. */
import t from 'tap'
import { type Outcome, type Pair, verdictOf } from './verdict.ts'

/** `undisturbed` of sixteen pairs have the least costs; the others are disturbed, both batches of a pair alike. */
function pairsOf(loss: number, undisturbed = 8): Pair[] {
  return Array.from({ length: 16 }, (_, index) => {
    const load = index < undisturbed ? 1 : 3 + (index % 4)
    return { before: 100 * load, now: 100 * loss * load }
  })
}

t.test('outcomes', async (t) => {
  const disturbedNow = pairsOf(1).map(({ before, now }, index) => ({ before, now: index < 3 ? now : now * 1.2 }))
  const disturbedLeast = pairsOf(1).map(({ before, now }, index) => ({
    before: index < 3 ? before * 0.8 : before,
    now
  }))
  const rows: Array<[what: string, pairs: readonly Pair[], outcome: Outcome]> = [
    ['the same', pairsOf(1), 'holds'],
    ['cheaper', pairsOf(0.5), 'holds'],
    ['within the allowance', pairsOf(1.04), 'holds'],
    ['beyond it', pairsOf(1.08), 'slower'],
    ['beyond it, under load', pairsOf(1.08, 3), 'slower'],
    ['load in one batch of most pairs', disturbedNow, 'unsettled'],
    ['a few lucky batches', disturbedLeast, 'unsettled'],
    ['a single pair', [{ before: 100, now: 100 }], 'holds']
  ]
  for (const [what, pairs, outcome] of rows) t.equal(verdictOf([pairs], 0.05).outcome, outcome, what)
})

t.test('figures are now / before', async (t) => {
  const { median, lowestEighth, spread } = verdictOf([pairsOf(1.25)], 0.05)
  t.same([median, lowestEighth, spread], [1.25, 1.25, [1.25, 1.25]])
  t.equal(verdictOf([pairsOf(1.25)], 0.25).outcome, 'holds', 'at the bound of the allowance')
})

t.test('a build that one order of loading favours', async (t) => {
  const { median, lowestEighth, outcome } = verdictOf([pairsOf(1.25), pairsOf(0.8)], 0.05)
  t.same([median.toFixed(3), lowestEighth.toFixed(3), outcome], ['1.000', '1.000', 'holds'])
  t.equal(verdictOf([pairsOf(1.25), pairsOf(0.9)], 0.05).outcome, 'slower', 'is slower by more than that')
  const odd = verdictOf([pairsOf(1), pairsOf(3), pairsOf(1)], 0.05)
  t.same([odd.median, odd.outcome], [1, 'holds'], 'and one process that is far from the others')
})
