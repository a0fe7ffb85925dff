/** The suite of the `totp` brick. */
import assert from 'node:assert/strict'
import {
  atOnce,
  NOT_TEXT,
  type Operations,
  oneWinner,
  refused,
  STRANGE_TEXTS,
  spoil,
  UNSTORABLE_TEXTS
} from 'svc-stores/conformance'
import type { TotpStore } from '../factors/totp/totp-store.ts'
import { type StoreCases, type StoreSuite, storeSuite } from './store-suite.ts'

const operations: Operations<TotpStore> = {
  enroll: (store) => store.enroll('alice', 'gcm1.a'),
  find: (store) => store.find('alice'),
  confirm: (store) => store.confirm('alice', 'gcm1.a', 1, ['h']),
  useStep: (store) => store.useStep('alice', 2),
  useRecoveryCode: (store) => store.useRecoveryCode('alice', 'h'),
  replaceRecoveryCodes: (store) => store.replaceRecoveryCodes('alice', ['h']),
  remove: (store) => store.remove('alice')
}

async function confirmed(store: TotpStore, hashes: readonly string[] = ['h1', 'h2']): Promise<void> {
  assert.equal(await store.enroll('alice', 'gcm1.a'), true)
  assert.equal(await store.confirm('alice', 'gcm1.a', 100, hashes), true)
}

const cases: StoreCases<TotpStore> = {
  'an enrolment waits for its first code': async ({ store, clock }) => {
    assert.equal(await store.find('alice'), null)
    await store.enroll('alice', 'gcm1.a')
    const waiting = {
      id: 'alice',
      secretEnc: 'gcm1.a',
      lastStep: null,
      recoveryHashes: [],
      createdAt: clock.now(),
      confirmedAt: null
    }
    assert.deepEqual(await store.find('alice'), waiting)
    assert.equal(await store.useStep('alice', 1), false)
    assert.equal(await store.useRecoveryCode('alice', 'h'), false)
    assert.equal(await store.replaceRecoveryCodes('alice', ['h']), false)
    clock.advance(5)
    assert.equal(await store.confirm('alice', 'gcm1.a', 7, ['h1']), true)
    const now = clock.now()
    assert.deepEqual(await store.find('alice'), { ...waiting, lastStep: 7, recoveryHashes: ['h1'], confirmedAt: now })
  },
  'a waiting enrolment can be started again; the secret before it confirms nothing': async ({ store }) => {
    await store.enroll('alice', 'gcm1.a')
    assert.equal(await store.enroll('alice', 'gcm1.b'), true)
    assert.equal(await store.confirm('alice', 'gcm1.a', 1, []), false)
    oneWinner(await atOnce(50, (index) => store.confirm('alice', 'gcm1.b', index, [`h${index}`])))
    assert.equal(await store.confirm('nobody', 'gcm1.a', 1, []), false)
  },
  'a confirmed enrolment is not replaced': async ({ store }) => {
    await confirmed(store)
    assert.deepEqual(new Set(await atOnce(10, () => store.enroll('alice', 'gcm1.evil'))), new Set([false]))
    assert.equal((await store.find('alice'))?.secretEnc, 'gcm1.a')
  },
  'a time step works once, and none before it': async ({ store }) => {
    await confirmed(store)
    assert.equal(await store.useStep('alice', 100), false)
    assert.equal(await store.useStep('alice', 99), false)
    oneWinner(await atOnce(50, () => store.useStep('alice', 101)))
    assert.equal((await store.find('alice'))?.lastStep, 101)
    await atOnce(50, (index) => store.useStep('alice', 102 + ((index * 7) % 50)))
    assert.equal((await store.find('alice'))?.lastStep, 151)
    assert.equal(await store.useStep('nobody', 1), false)
  },
  'a recovery code works once, and takes no other with it': async ({ store }) => {
    await confirmed(store, ['h1', 'h2', 'h3'])
    oneWinner(await atOnce(50, () => store.useRecoveryCode('alice', 'h2')))
    assert.deepEqual((await store.find('alice'))?.recoveryHashes, ['h1', 'h3'])
    assert.deepEqual(await Promise.all(['h1', 'h3'].map((hash) => store.useRecoveryCode('alice', hash))), [true, true])
    assert.deepEqual((await store.find('alice'))?.recoveryHashes, [])
    assert.equal(await store.useRecoveryCode('alice', 'h'), false)
  },
  'new recovery codes replace the old ones': async ({ store }) => {
    await confirmed(store)
    assert.equal(await store.replaceRecoveryCodes('alice', ['n1']), true)
    assert.equal(await store.useRecoveryCode('alice', 'h1'), false)
    assert.equal(await store.useRecoveryCode('alice', 'n1'), true)
    assert.equal(await store.replaceRecoveryCodes('nobody', []), false)
  },
  'removing ends the enrolment, and a new one may begin': async ({ store }) => {
    await confirmed(store)
    oneWinner(await atOnce(20, () => store.remove('alice')))
    assert.equal(await store.find('alice'), null)
    assert.equal(await store.useStep('alice', 1000), false)
    assert.equal(await store.enroll('alice', 'gcm1.c'), true)
  },
  'strange users are kept apart; what no store can keep is refused': async ({ store }) => {
    for (const text of STRANGE_TEXTS) {
      await store.enroll(text, text)
      await store.confirm(text, text, 1, [text, 'other'])
    }
    for (const text of STRANGE_TEXTS) {
      assert.equal(await store.useRecoveryCode(text, text), true, JSON.stringify(text))
      const found = await store.find(text)
      assert.deepEqual([found?.id, found?.secretEnc, found?.recoveryHashes], [text, text, ['other']])
      spoil(found as object)
      assert.deepEqual((await store.find(text))?.recoveryHashes, ['other'])
    }
    for (const text of UNSTORABLE_TEXTS) {
      await refused(() => store.enroll(text, 'gcm1.a'), 'SVC_STORE_RECORD', /"id"/)
      assert.equal(await store.find(text), null)
    }
    for (const value of NOT_TEXT as never[]) {
      assert.equal(await store.find(value), null)
      assert.equal(await store.useStep(value, 9), false)
      assert.equal(await store.remove(value), false)
    }
    assert.equal(await store.useRecoveryCode('a.b.c', { $exists: true } as never), false)
  }
}

/** Proves a TOTP store. @param runner tap's `t`, or any runner with `test(name, body)` */
export const totpStoreConformance: StoreSuite<TotpStore> = storeSuite(operations, cases)
