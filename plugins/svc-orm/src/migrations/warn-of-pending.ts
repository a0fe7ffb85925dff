/** Warns at boot of migrations that have not run. The boot neither runs them nor fails. */
import { warnAtBoot } from 'svc-kernel'
import type { BootReport } from 'svc-kernel/plugin'
import type { Migrations } from './migrations.ts'

/** For drivers, once the database is open. A database that does not answer gets no warning here: its health shows it. */
export async function warnOfPending(migrations: Migrations, connector: string, report: BootReport): Promise<void> {
  const pending = await migrations.pending(connector).catch(() => [])
  if (pending.length === 0) return
  warnAtBoot(report, {
    code: 'SVC_ORM_MIGRATION_PENDING',
    message: `migrations of ${connector} that have not run: ${pending.length}`,
    got: pending.join(', '),
    fix: 'npx svc orm:migrate',
    more: 'npx svc docs migrations-operations'
  })
}
