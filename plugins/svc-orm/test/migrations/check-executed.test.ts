/** What ran on a database, against the files: by tables written by hand. */
import t from 'tap'
import { checkExecuted, executedProblems } from '../../src/migrations/check-executed.ts'
import type { ExecutedMigration, LoadedMigration } from '../../src/migrations/migration-port.ts'
import { problemsOf } from '../support/migrated-project.ts'

const at = new Date('2026-01-02T03:04:05Z')
const ran = (name: string, more: Partial<ExecutedMigration> = {}) => ({ name, checksum: name, executedAt: at, ...more })
const file = (name: string, more: Partial<LoadedMigration> = {}): LoadedMigration => ({
  name,
  checksum: name,
  up: async () => undefined,
  down: async () => undefined,
  ...more
})

const ALL = [file('a'), file('b', { down: null }), file('c')]

t.test('files and what ran, in both directions', async (t) => {
  const up = (executed: readonly ExecutedMigration[], migrations = ALL) =>
    executedProblems(executed, { migrations, direction: 'up', steps: 1 })
  const down = (steps: number, names: readonly string[]) =>
    executedProblems(
      names.map((name) => ran(name)),
      { migrations: ALL, direction: 'down', steps }
    )
  t.strictSame(up([]), [])
  t.strictSame(up([ran('a'), ran('b')]), [], 'the way up needs no way back')
  t.match(up([ran('a', { checksum: 'x' })]), [
    {
      code: 'SVC_ORM_MIGRATION_EDITED',
      message: /^a was edited after it had run/,
      got: 'checksum a',
      expected: 'checksum x, as it ran'
    }
  ])
  t.strictSame(up([ran('a', { checksum: 'x', unfinished: true })]), [], 'one that was cut short may be corrected')
  t.match(up([ran('z')]), [
    {
      code: 'SVC_ORM_MIGRATION_UNKNOWN',
      message: /newer than this code: z ran on it/,
      got: 'z, which ran at 2026-01-02T03:04:05.000Z'
    }
  ])
  t.strictSame(down(1, ['a', 'b', 'c']), [])
  t.match(down(2, ['a', 'b', 'c']), [{ code: 'SVC_ORM_MIGRATION_NO_DOWN', message: /^b has no down/ }])
  t.match(down(9, ['b']), [{ code: 'SVC_ORM_MIGRATION_NO_DOWN' }])
})

t.test('all that is wrong is told at once', async (t) => {
  const executed = [ran('a', { checksum: 'x' }), ran('z')]
  const asked = { migrations: ALL, direction: 'up', steps: 1 } as const
  t.match(await problemsOf((async () => checkExecuted(executed, asked))()), [
    { code: 'SVC_ORM_MIGRATION_EDITED' },
    { code: 'SVC_ORM_MIGRATION_UNKNOWN' }
  ])
  t.doesNotThrow(() => checkExecuted([ran('a')], asked))
})
