/** Random versions of an entity with random documents: what their migration makes of them, there and back. */
import { compareMigrations } from 'svc-orm/conformance/migrations'
import t from 'tap'
import { documentSubject } from '../support/migration-subject.ts'

/** DocumentDB builds an index of a collection with documents about a second after the command: databases wait side by side. */
const DATABASES = 5

t.test('documents', { timeout: 120_000 }, async (t) => {
  const subjects = await Promise.all(Array.from({ length: DATABASES }, () => documentSubject(t)))
  await Promise.all(subjects.map((subject) => compareMigrations({ ...subject, runs: 25 / DATABASES })))
})
