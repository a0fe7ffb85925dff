/** A boot that comes before a migration warns of it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from 'svc-kernel'
import t from 'tap'
import { warnOfPending } from '../../src/migrations/warn-of-pending.ts'
import { problemsOf, project } from '../support/migrated-project.ts'

const PLAIN = 'export default { async up() {} }'

t.test('migrations that have not run are named, none of which is loaded', async (t) => {
  const { folder, driver, migrations } = project(t)
  const warnings = async (executed?: () => Promise<never>) => {
    const bootWarnings: Problem[] = []
    const { migrations: port } = driver.connector()
    const more = port !== undefined && executed !== undefined ? { migrations: { ...port, executed } } : {}
    await warnOfPending(migrations([], more), 'memory', { log: { warn: () => undefined }, bootWarnings } as never)
    return bootWarnings
  }
  t.strictSame(await warnings(), [])
  mkdirSync(folder)
  writeFileSync(join(folder, '20260101000000_a.ts'), PLAIN)
  await migrations([]).migrate()
  t.strictSame(await warnings(), [])
  writeFileSync(join(folder, '20260102000000_b.ts'), 'throw new Error()')
  writeFileSync(join(folder, '20260103000000_c.ts'), 'throw new Error()')
  t.match(await warnings(), [
    {
      code: 'SVC_ORM_MIGRATION_PENDING',
      message: 'migrations of memory that have not run: 2',
      got: '20260102000000_b, 20260103000000_c',
      fix: 'npx svc orm:migrate'
    }
  ])
  t.strictSame(await warnings(() => Promise.reject(new Error('down'))), [], 'its health shows that it is down')
})

t.test('one that was cut short has not run', async (t) => {
  const { folder, driver, migrations } = project(t)
  mkdirSync(folder)
  writeFileSync(join(folder, '20260101000000_a.ts'), PLAIN)
  const { migrations: port } = driver.connector()
  if (port === undefined) throw new Error('it has migrations')
  const standing = [{ name: '20260101000000_a', checksum: 'x', executedAt: new Date(0), unfinished: true }]
  const half = migrations([], { migrations: { ...port, executed: async () => standing } })
  t.strictSame(await half.pending('memory'), ['20260101000000_a'])
  t.match(await half.status(), [{ migrations: [{ name: '20260101000000_a', executedAt: null }], problems: [] }])
  t.match(await problemsOf(half.pending('other')), [
    { code: 'SVC_ORM_MIGRATION_NONE', message: 'no connector other supports migrations' }
  ])
})
