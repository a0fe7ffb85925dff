/** The migrations of an application that runs them as it boots: before its databases open, and once for all instances. */
import type { FastifyBaseLogger } from 'fastify'
import { BootError, warnProblem } from 'svc-kernel'
import type { Migrations } from './migrations.ts'

/**
 * A database that a newer version has migrated ends no boot: while instances are replaced, one of the version before may
 * start again. What would break it is refused as drift.
 *
 * @throws BootError
 */
export async function migrateAtBoot(migrations: Migrations, log: FastifyBaseLogger): Promise<void> {
  try {
    const ran = await migrations.migrate({ progress: (text) => log.info(text) })
    for (const { connector, names } of ran) for (const name of names) log.info({ connector }, `migrated ${name}`)
  } catch (error) {
    if (!(error instanceof BootError) || error.problems.some(({ code }) => code !== 'SVC_ORM_MIGRATION_UNKNOWN'))
      throw error
    for (const problem of error.problems) warnProblem(log, problem)
  }
}
