/** The types of the stores of svc-security. */
import type { UserSummary } from 'svc-security'
import { userStoreConformance } from 'svc-security/conformance'
import type { UserStore } from 'svc-security/stores'
import { userStore } from 'svc-security/stores'
import { inMemory, type StoreParts } from 'svc-stores'
import type { ConformanceSubject } from 'svc-stores/conformance'
import t from 'tap'
import { expect, test } from 'tstyche'

test('a listing has no secrets', () => {
  expect<UserSummary>().type.not.toHaveProperty('password')
})

test('the suites run on tap as it is', () => {
  const makeStore = (given: StoreParts) => inMemory(userStore, given)
  const subject: ConformanceSubject<UserStore> = { makeStore, faults: null }
  expect(userStoreConformance).type.toBeCallableWith(t, subject)
})
