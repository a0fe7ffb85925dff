/** A store that fails is "not able now"; an answer of its own passes. */
import t from 'tap'
import { guardedStore, orUnavailable } from '../../src/stores/guarded-store.ts'

interface Failure {
  readonly code: string
  readonly statusCode?: number
  readonly reason?: string
}

const failures: ReadonlyArray<[title: string, thrown: unknown, expected: Failure]> = [
  ['a store that fails', new Error('gone'), { code: 'SVC_SEC_UNAVAILABLE', statusCode: 503, reason: 'Error: gone' }],
  ['no error at all', 'gone', { code: 'SVC_SEC_UNAVAILABLE', reason: 'string: gone' }],
  ['a refusal', Object.assign(new Error('no'), { statusCode: 409, code: 'TAKEN' }), { code: 'TAKEN', statusCode: 409 }],
  ['a 503 of its own', Object.assign(new Error('no'), { statusCode: 503, code: 'BUSY' }), { code: 'BUSY' }]
]

for (const [title, thrown, expected] of failures) {
  t.test(`orUnavailable: ${title}, at once or later`, async (t) => {
    const now = () => {
      throw thrown
    }
    await t.rejects(orUnavailable(now), expected)
    await t.rejects(
      orUnavailable(() => Promise.reject(thrown)),
      expected
    )
  })
}

t.test('orUnavailable: an answer, at once or later', async (t) => {
  t.equal(await orUnavailable(() => 1), 1)
  t.equal(await orUnavailable(async () => 1), 1)
})

for (const [title, thrown, expected] of failures) {
  t.test(`guardedStore: ${title}, at once or later`, async (t) => {
    const store = {
      now: () => {
        throw thrown
      },
      later: () => Promise.reject(thrown)
    }
    const guarded = guardedStore({ operations: ['now', 'later'] }, store)
    await t.rejects(Promise.resolve(guarded.now()), expected)
    await t.rejects(guarded.later(), expected)
  })
}

t.test('guardedStore: an answer, at once or later; a store that is disabled has none', async (t) => {
  const definition = { operations: ['now', 'later'] }
  const guarded = guardedStore(definition, { now: () => 1, later: async () => 1 })
  t.equal(guarded.now(), 1)
  t.equal(await guarded.later(), 1)
  const disabled = guardedStore<typeof guarded>(definition, null)
  await t.rejects(Promise.resolve(disabled.now()), { code: 'SVC_SEC_UNAVAILABLE' })
})
