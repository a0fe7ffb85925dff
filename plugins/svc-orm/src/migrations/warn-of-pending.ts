/** Migrations that nobody ran: what a boot says of them. It neither runs them nor ends for them. */
import { type BootReport, warnAtBoot } from 'svc-kernel'
import type { Migrations } from './migrations.ts'

/** For drivers, once the database is open. Where it cannot be told, nothing is: its health tells of the database. */
export async function warnOfPending(migrations: Migrations, connector: string, report: BootReport): Promise<void> {
  const pending = await migrations.pending(connector).catch(() => [])
  if (pending.length === 0) return
  warnAtBoot(report, {
    code: 'SVC_ORM_MIGRATION_PENDING',
    message: `${pending.length} migrations of ${connector} have not run`,
    got: pending.join(', '),
    fix: 'npx svc orm:migrate',
    more: 'npx svc docs migrations-operations'
  })
}
