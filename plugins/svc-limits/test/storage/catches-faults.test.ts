/** A suite that no store can fail proves nothing: each of these has one fault, and the suite finds it. */
import { inMemory } from 'svc-stores'
import t from 'tap'
import type { LimitsStore } from '../../src/storage/limits-store.ts'
import { limitsStoreConformance } from '../../src/storage/limits-store-conformance.ts'
import { limitsStore } from '../../src/storage/table-limits-store.ts'

const FAULTS: readonly [fault: string, spoil: (store: LimitsStore) => Partial<LimitsStore>, found: RegExp][] = [
  [
    'lets one too many through',
    (store) => ({
      take: (name, caller, pace, cost) => store.take(name, caller, { ...pace, burst: pace.burst + 1 }, cost)
    }),
    /whole burst/
  ],
  [
    'spends part of a cost',
    (store) => ({ take: (name, caller, pace, cost) => store.take(name, caller, pace, Math.min(cost, 3)) }),
    /as a whole/
  ],
  [
    'mixes callers',
    (store) => ({ take: (name, _caller, pace, cost) => store.take(name, 'all', pace, cost) }),
    /budgets of their own/
  ],
  [
    'mixes limits',
    (store) => ({ take: (_name, caller, pace, cost) => store.take('all', caller, pace, cost) }),
    /budgets of their own/
  ],
  ['gives nothing back', () => ({ giveBack: () => undefined }), /given back/],
  ['shows all', (store) => ({ spending: (name) => store.spending(name, 100) }), /bounded/],
  ['forgets what is spent', () => ({ take: () => ({ taken: true, aheadUs: 0 }) }), /fifty calls/],
  ['purges nothing', () => ({ purge: async () => 0 }), /purges/]
]

/** Names of the cases that a store fails. */
async function failed(makeStore: (store: LimitsStore) => LimitsStore): Promise<string[]> {
  const names: string[] = []
  const runner = {
    test: async (name: string, body: () => Promise<void>) => {
      await body().catch(() => names.push(name))
    }
  }
  await limitsStoreConformance(runner, { makeStore: (parts) => makeStore(inMemory(limitsStore, parts)), faults: null })
  return names
}

for (const [fault, spoil, found] of FAULTS) {
  t.test(fault, async (t) => {
    const names = await failed((store) => {
      const whole: LimitsStore = {
        take: (...given) => store.take(...given),
        giveBack: (...given) => store.giveBack(...given),
        spending: (...given) => store.spending(...given),
        purge: () => store.purge()
      }
      return { ...whole, ...spoil(store) }
    })
    t.ok(
      names.some((name) => found.test(name)),
      names.join('; ')
    )
  })
}

t.test('without a fault, none', async (t) => t.strictSame(await failed((store) => store), []))
