/** What each key of a set does at a moment. */
import t from 'tap'
import { keyRows } from '../../src/keys/keys.ts'

const DAY_MS = 86_400_000
const key = (kid: string, activeFrom: number, d?: string) => ({ kid, activeFrom, ...(d === undefined ? {} : { d }) })

t.test('states', async (t) => {
  const keys = [key('c', 5 * DAY_MS, 'c'), key('b', 3 * DAY_MS, 'b'), key('a', 0)]
  const states = (now: number) => keyRows(keys, now).map(({ kid, state }) => `${kid} ${state}`)
  t.same(states(3 * DAY_MS), ['c next', 'b signs', 'a verifies'])
  t.same(states(4 * DAY_MS), ['c next', 'b signs', 'a over'])
  t.same(states(5 * DAY_MS), ['c signs', 'b verifies', 'a over'])
  t.same(states(6 * DAY_MS), ['c signs', 'b over', 'a over'])
  t.same(
    keyRows(keys, 0).map(({ retiredAt }) => retiredAt),
    [null, 5 * DAY_MS, 3 * DAY_MS]
  )
})
