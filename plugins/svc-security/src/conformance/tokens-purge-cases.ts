/** The token of the suite of the `tokens` brick, and what a purge leaves. */
import assert from 'node:assert/strict'
import type { ConformanceCase } from 'svc-stores/conformance'
import type { NewToken } from '../token-store/token-record.ts'
import type { TokensStore } from '../token-store/tokens-store.ts'
import { idsOf } from './store-suite.ts'

/** With every field, as the cases change them. */
export function aToken(given: Partial<NewToken> = {}): NewToken {
  return {
    id: 't1',
    kind: 'apikey',
    name: 'laptop',
    subject: 'alice',
    tenantId: null,
    scopes: ['orders:read'],
    secretHash: `hash of ${given.id ?? 't1'}`,
    family: null,
    expiresAt: null,
    ...given
  }
}

/** @param rows retention, then the ids that remain */
export function purgeCases(rows: readonly [number, string[]][]): ConformanceCase<TokensStore>[] {
  return rows.map(([retention, remaining]) => [
    `purges what has expired, and what was revoked ${retention} ms ago${retention === 0 ? ' never' : ''}`,
    async ({ store, clock }) => {
      const start = clock.now()
      await store.create(aToken({ id: 'plain' }))
      await store.create(aToken({ id: 'now', expiresAt: start + 50 }))
      await store.create(aToken({ id: 'later', expiresAt: start + 51 }))
      await store.create(aToken({ id: 'old' }))
      await store.create(aToken({ id: 'new' }))
      await store.revoke('old', 'manual')
      await store.deny('dead', start + 50)
      await store.deny('alive', start + 51)
      await store.invalidateBefore('alice', start)
      clock.advance(50)
      await store.revoke('new', 'manual')
      assert.equal(await store.purge(retention), 5 - remaining.length + 1)
      const { items } = await store.list({}, { order: [['id', 'ASC']] })
      assert.deepEqual(idsOf(items), remaining)
      assert.deepEqual([await store.isDenied('alive'), await store.invalidBefore('alice')], [true, start])
      assert.equal(await store.purge(retention), 0)
      await store.create(aToken({ id: 'again', secretHash: 'hash of now' }))
    }
  ])
}
