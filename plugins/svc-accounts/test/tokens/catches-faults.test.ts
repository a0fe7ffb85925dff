/** A suite that no store can fail proves nothing: each of these stores has one fault, and its suite finds it. */
import { inMemory, type StoreParts } from 'svc-stores'
import t from 'tap'
import { accountStoreConformance, tokenStoreConformance } from '../../src/conformance.ts'
import { type AccountStore, accountStore, accountTokenStore, type TokenStore } from '../../src/stores.ts'

type Faults<Store> = Readonly<Record<string, (store: Store, parts: StoreParts) => Partial<Store>>>

const tokenFaults: Faults<TokenStore> = {
  'takes a token twice': (store) => ({
    take: async (purpose, hash) => {
      const [first] = (await store.list(purpose, 100)).filter((each) => each.hash === hash)
      return first ?? null
    }
  }),
  'takes a token for any purpose': (store) => ({
    take: async (purpose, hash) => (await store.take(purpose, hash)) ?? store.take('reset', hash)
  }),
  'keeps tokens that are over': (store) => ({ purge: async () => (await store.list('reset', 1)).length * 0 }),
  'restores over a newer token': (store) => ({ restore: (record) => store.put(record) }),
  'ends no token': () => ({ endOf: async () => undefined }),
  'erases no token': () => ({ eraseOf: async () => undefined }),
  'arms a token that is over': (store) => ({
    arm: async (id, hash) => {
      const record = await store.find(id)
      if (record === null) return null
      await store.put({ ...record, hash })
      return { ...record, hash }
    }
  })
}

const accountFaults: Faults<AccountStore> = {
  'forgets what another change wrote': (store) => ({
    setLocale: async (id, locale) => {
      await store.remove(id)
      await store.setLocale(id, locale)
    }
  }),
  'has nothing due': () => ({ due: async () => [] }),
  'removes twice': (store) => ({
    remove: async (id) => {
      await store.remove(id)
      return true
    }
  })
}

async function failures<Store extends object>(
  suite: (runner: { test(name: string, body: () => Promise<void>): unknown }, subject: never) => Promise<void>,
  makeStore: (parts: StoreParts) => Store
): Promise<number> {
  let failed = 0
  const test = (_name: string, body: () => Promise<void>) => {
    return body().catch(() => {
      failed += 1
    })
  }
  await suite({ test }, { makeStore, faults: null } as never)
  return failed
}

for (const [name, fault] of Object.entries(tokenFaults)) {
  t.test(`the suite of tokens finds a store that ${name}`, async (t) => {
    const found = await failures(tokenStoreConformance as never, (parts) => {
      const store = inMemory(accountTokenStore, parts)
      return Object.assign(Object.create(store), methodsOf(store), fault(store, parts))
    })
    t.ok(found > 0)
  })
}

for (const [name, fault] of Object.entries(accountFaults)) {
  t.test(`the suite of accounts finds a store that ${name}`, async (t) => {
    const found = await failures(accountStoreConformance as never, (parts) => {
      const store = inMemory(accountStore, parts)
      return Object.assign(Object.create(store), methodsOf(store), fault(store, parts))
    })
    t.ok(found > 0)
  })
}

t.test('without a fault, both pass', async (t) => {
  t.equal(await failures(tokenStoreConformance as never, (parts) => inMemory(accountTokenStore, parts)), 0)
  t.equal(await failures(accountStoreConformance as never, (parts) => inMemory(accountStore, parts)), 0)
})

/** Private fields belong to the store itself, so each method is called on it. */
function methodsOf(store: object): object {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(store)).filter((name) => name !== 'constructor')
  const methods = store as Readonly<Record<string, (...given: unknown[]) => unknown>>
  return Object.fromEntries(names.map((name) => [name, (...given: unknown[]) => methods[name]?.(...given)]))
}
