/** Random versions of an entity with random documents: what their migration makes of them, there and back. */
import { compareMigrations } from 'svc-orm/conformance/migrations'
import t from 'tap'
import { documentSubject } from '../support/migration-subject.ts'

t.test('documents', { timeout: 120_000 }, async (t) => {
  await compareMigrations({ ...(await documentSubject(t)), runs: 25 })
})
