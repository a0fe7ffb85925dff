/** The stores of this package in memory, on the tables of the memory engine. */
import { inMemory } from 'svc-stores'
import t from 'tap'
import {
  archiveStoreConformance,
  domainStoreConformance,
  groupStoreConformance,
  membershipStoreConformance,
  organizationInvitationStoreConformance,
  organizationStoreConformance
} from '../../src/conformance.ts'
import {
  archiveStore,
  domainStore,
  groupStore,
  membershipStore,
  organizationInvitationStore,
  organizationStore
} from '../../src/stores.ts'

t.test('organisations', (t) =>
  organizationStoreConformance(t, { makeStore: (parts) => inMemory(organizationStore, parts), faults: null })
)

t.test('memberships', (t) =>
  membershipStoreConformance(t, { makeStore: (parts) => inMemory(membershipStore, parts), faults: null })
)

t.test('invitations', (t) =>
  organizationInvitationStoreConformance(t, {
    makeStore: (parts) => inMemory(organizationInvitationStore, parts),
    faults: null
  })
)

t.test('archives', (t) =>
  archiveStoreConformance(t, { makeStore: (parts) => inMemory(archiveStore, parts), faults: null })
)

t.test('domains', (t) =>
  domainStoreConformance(t, { makeStore: (parts) => inMemory(domainStore, parts), faults: null })
)

t.test('groups', (t) => groupStoreConformance(t, { makeStore: (parts) => inMemory(groupStore, parts), faults: null }))
