/** The stores of svc-events on every database. */
import { eventStoreConformance } from 'svc-events/conformance'
import { eventEndpointStore, eventHistoryStore, eventStore, portalTokenStore } from 'svc-events/stores'
import type { StoreDefinition } from 'svc-stores'
import { type ConformanceRunner, type ConformanceSubject, tokenStoreConformance } from 'svc-stores/conformance'
import type { TokenStore } from 'svc-stores/plugin'
import type { Database } from 'svc-stores/table'
import { historyStoreConformance, webhooksStoreConformance } from 'svc-webhooks/conformance'
import t from 'tap'
import { onEveryDatabase } from '../../support/entity-databases.ts'
import { eventsApp, Ticket } from './events-app.ts'

t.setTimeout(240_000)

t.test('what every store promises', (t) =>
  onEveryDatabase(t, [Ticket], async (t, modules) => {
    let found: Database | null = null
    const probe: StoreDefinition<object> = {
      brick: 'probe',
      operations: [],
      open: (database) => {
        found = database
        return {}
      },
      check: async () => undefined
    }
    const { app } = await eventsApp(t, modules, ({ stores }) => void stores.select(probe, 'auto'), {
      // What the suite stores is old: maintenance is not to purge it.
      run: false,
      portal: {} as never
    })
    const database = found as Database | null
    if (database === null) throw new Error('no database was opened')
    t.ok(app.events)
    const runner = t as unknown as ConformanceRunner
    await eventStoreConformance(runner, {
      makeStore: async (parts) => {
        const store = eventStore.open(database, parts)
        for (const organization of ['acme', 'globex', 'initech']) await store.forget(organization)
        for (const lane of ['wh_1', 'wh_2']) await store.deliveries.discard(lane)
        return store
      },
      faults: null
    })
    await webhooksStoreConformance(runner, {
      makeStore: async (parts) => {
        const store = eventEndpointStore.open(database, parts)
        for (;;) {
          const { items } = await store.list({}, { limit: 1000 })
          if (items.length === 0) return store
          for (const { id } of items) await store.delete(id)
        }
      },
      faults: null
    })
    await historyStoreConformance(runner, {
      makeStore: async (parts) => {
        const store = eventHistoryStore.open(database, parts)
        await store.purge(Number.MAX_SAFE_INTEGER)
        return store
      },
      faults: null
    })
    const tokens: ConformanceSubject<TokenStore> = {
      makeStore: async (parts) => {
        const late = portalTokenStore.open(database, {
          ...parts,
          clock: { ...parts.clock, now: () => Number.MAX_SAFE_INTEGER }
        })
        await late.purge()
        return portalTokenStore.open(database, parts) as unknown as TokenStore
      },
      faults: null
    }
    await tokenStoreConformance(runner, tokens)
  })
)
