/** Rotation of refresh tokens: one successor, and none that outlives its family. */
import assert from 'node:assert/strict'
import { atOnce, type ConformanceCase, oneWinner, refused } from 'svc-stores/conformance'
import type { TokensStore } from '../token-store/tokens-store.ts'
import { aToken } from './sample-records.ts'

function refresh(id: string) {
  return aToken({ id, kind: 'refresh', name: null, family: 'f' })
}

export const tokenRotationCases: readonly ConformanceCase<TokensStore>[] = [
  [
    'a rotation replaces the token by its successor',
    async ({ store, clock }) => {
      await store.create(refresh('r1'))
      clock.advance(5)
      assert.equal(await store.rotate('r1', refresh('r2')), true)
      const old = await store.find('r1')
      assert.deepEqual([old?.replacedBy, old?.revokedReason, old?.revokedAt], ['r2', 'rotated', clock.now()])
      const next = await store.find('r2')
      assert.deepEqual([next?.revokedAt, next?.replacedBy, next?.createdAt], [null, null, clock.now()])
    }
  ],
  [
    'of concurrent rotations one wins and one successor is left',
    async ({ store }) => {
      await store.create(refresh('r'))
      oneWinner(await atOnce(50, (index) => store.rotate('r', refresh(`next-${index}`))))
      assert.equal(await store.count({ kind: 'refresh', active: true }), 1)
      const { items } = await store.list({ active: true }, {})
      assert.equal((await store.find('r'))?.replacedBy, items[0]?.id)
    }
  ],
  [
    'a token that is absent, revoked, expired or replaced is not rotated',
    async ({ store, clock }) => {
      await store.create(refresh('revoked'))
      await store.revoke('revoked', 'logout')
      await store.create({ ...refresh('expired'), expiresAt: clock.now() + 1 })
      clock.advance(1)
      await store.create(refresh('rotated'))
      await store.rotate('rotated', refresh('successor'))
      for (const id of ['revoked', 'expired', 'rotated', 'absent']) {
        assert.equal(await store.rotate(id, refresh(`after ${id}`)), false, id)
        assert.equal(await store.find(`after ${id}`), null, `no successor of ${id}`)
        assert.equal(await store.findByHash(`hash of after ${id}`), null)
      }
      assert.equal((await store.find('revoked'))?.revokedReason, 'logout')
    }
  ],
  [
    'a successor that exists already is refused, and the token stays',
    async ({ store }) => {
      await store.create(refresh('r1'))
      await store.create(refresh('r2'))
      await refused(() => store.rotate('r1', refresh('r2')), 'SVC_STORE_DUPLICATE')
      assert.equal((await store.find('r1'))?.revokedAt, null)
      assert.equal(await store.rotate('r1', refresh('r3')), true)
    }
  ],
  [
    'a family revoked during rotations leaves no active token',
    async ({ store }) => {
      await store.create(refresh('r'))
      await atOnce(50, async (index) => {
        if (index % 5 === 4) await store.revokeFamily('f', 'reuse_detected')
        else await store.rotate('r', refresh(`next-${index}`))
      })
      // Whatever the order was: a revocation after a rotation takes the successor along.
      assert.equal(await store.count({ active: true }), 0)
    }
  ]
]
