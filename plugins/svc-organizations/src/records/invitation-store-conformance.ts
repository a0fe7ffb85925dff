/** The suite of the `organizationInvitations` brick. */
import assert from 'node:assert/strict'
import {
  aCase,
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  type Operations,
  oneWinner,
  runCases,
  STRANGE_TEXTS
} from 'svc-stores/conformance'
import type { OrganizationInvitation, OrganizationInvitationStore } from './invitation-store.ts'

/** Valid for a thousand milliseconds. */
function anInvitation(now: number, more: Partial<OrganizationInvitation> = {}): OrganizationInvitation {
  const by = { invitedBy: 'ada@example.org', createdAt: now, expiresAt: now + 1000 }
  return { id: 'i1', organizationId: 'o1', address: 'bob@example.org', role: 'member', hash: 'h1', ...by, ...more }
}

const operations: Operations<OrganizationInvitationStore> = {
  put: (store) => store.put(anInvitation(0)),
  find: (store) => store.find('h1'),
  take: (store) => store.take('h1'),
  restore: (store) => store.restore(anInvitation(0)),
  list: (store) => store.list('o1', 1),
  remove: (store) => store.remove('o1', 'i1'),
  removeAll: (store) => store.removeAll('o1'),
  purge: (store) => store.purge()
}

const cases: readonly ConformanceCase<OrganizationInvitationStore>[] = [
  aCase('of callers at once, one takes an invitation, whole', async ({ store, clock }) => {
    const invitation = anInvitation(clock.now())
    await store.put(invitation)
    assert.deepEqual(await store.find('h1'), invitation)
    oneWinner((await atOnce(20, () => store.take('h1'))).map((taken) => taken !== null))
    assert.equal(await store.find('h1'), null)
  }),
  aCase('the newest of an id replaces the one before, and is not overwritten by it', async ({ store, clock }) => {
    const before = anInvitation(clock.now())
    await store.put(before)
    await store.put(anInvitation(clock.now(), { hash: 'h2' }))
    assert.equal(await store.take('h1'), null)
    await store.restore(before)
    assert.equal((await store.take('h2'))?.hash, 'h2')
    await store.restore(before)
    assert.deepEqual(await store.take('h1'), before)
  }),
  aCase('one that is over is not found, not taken, not listed, and is purged', async ({ store, clock }) => {
    await store.put(anInvitation(clock.now()))
    clock.advance(1000)
    assert.deepEqual([await store.find('h1'), await store.take('h1'), await store.list('o1', 9)], [null, null, []])
    assert.deepEqual([await store.purge(), await store.purge()], [1, 0])
  }),
  aCase('nothing of another organisation is listed or removed', async ({ store, clock }) => {
    const now = clock.now()
    await store.put(anInvitation(now))
    await store.put(anInvitation(now + 1, { id: 'i2', hash: 'h2', createdAt: now + 1 }))
    await store.put(anInvitation(now, { id: 'i3', hash: 'h3', organizationId: 'o2' }))
    assert.deepEqual(
      (await store.list('o1', 9)).map(({ id }) => id),
      ['i2', 'i1']
    )
    assert.equal(await store.remove('o2', 'i1'), false)
    assert.equal(await store.remove('o1', 'i1'), true)
    assert.equal(await store.removeAll('o1'), 1)
    assert.deepEqual(
      (await store.list('o2', 9)).map(({ id }) => id),
      ['i3']
    )
  }),
  aCase('strange texts come back as they were', async ({ store, clock }) => {
    for (const text of STRANGE_TEXTS) {
      await store.put(anInvitation(clock.now(), { id: text, hash: text, address: text }))
      assert.equal((await store.take(text))?.address, text)
    }
  })
]

/** Proves a store of invitations. @param runner tap's `t`, or any runner with `test(name, body)` */
export function organizationInvitationStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<OrganizationInvitationStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
