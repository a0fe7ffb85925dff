/** A suite that no store can fail proves nothing: each of these stores has one fault, and its suite finds it. */
import { setImmediate } from 'node:timers/promises'
import type { StoreParts } from 'svc-stores'
import type { ConformanceRunner, ConformanceSubject } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { TableWebhooksStore } from '../../src/endpoints/endpoint-store.ts'
import { webhooksStoreConformance } from '../../src/endpoints/endpoint-store-conformance.ts'

type Suite<Store> = (runner: ConformanceRunner, subject: ConformanceSubject<Store>) => Promise<void>

/** The names of the cases that fail. */
async function failures<Store>(
  suite: Suite<Store>,
  makeStore: ConformanceSubject<Store>['makeStore'],
  faults: ConformanceSubject<Store>['faults'] = null
) {
  const failed: string[] = []
  const runner = {
    test: async (name: string, body: () => Promise<void>) => {
      await body().catch(() => failed.push(name))
    }
  }
  await suite(runner, { makeStore, faults })
  return failed
}

class MemoryWebhooksStore extends TableWebhooksStore {
  constructor(parts: StoreParts) {
    super(memoryDatabase(parts), parts)
  }
}

class LostCounts extends MemoryWebhooksStore {
  override async recordFailure(id: string, status: number | null, error: string) {
    const before = (await this.find(id))?.failureCount ?? 0
    await setImmediate()
    const counted = await super.recordFailure(id, status, error)
    return counted === null ? null : before + 1
  }
}

class DiesTwice extends MemoryWebhooksStore {
  override async disable(id: string, threshold: number) {
    const found = await this.find(id)
    await setImmediate()
    await super.disable(id, threshold)
    return found?.enabled === true && found.failureCount >= threshold
  }
}

const faults: [name: string, failed: () => Promise<string[]>, found: RegExp][] = [
  ['lost increments', () => failures(webhooksStoreConformance, (parts) => new LostCounts(parts)), /all counted/],
  ['two deaths', () => failures(webhooksStoreConformance, (parts) => new DiesTwice(parts)), /dies once/]
]

for (const [name, failed, found] of faults) {
  t.test(`finds the fault: ${name}`, async (t) => {
    t.match((await failed()).join('\n'), found)
  })
}
