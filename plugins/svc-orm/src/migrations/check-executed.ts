/** Whether the migrations that ran on a database are those of the files: else nothing runs. Pure. */
import { BootError, type Problem } from 'svc-kernel'
import type { ExecutedMigration, LoadedMigration, MigrationRun } from './migration-port.ts'

type Asked = Pick<MigrationRun, 'migrations' | 'direction' | 'steps'>

/** All that is wrong at once. @throws BootError */
export function checkExecuted(executed: readonly ExecutedMigration[], asked: Asked): void {
  const problems = executedProblems(executed, asked)
  if (problems.length > 0) throw new BootError(problems)
}

export function executedProblems(
  executed: readonly ExecutedMigration[],
  { migrations, direction, steps }: Asked
): Problem[] {
  const byName = new Map(migrations.map((each) => [each.name, each]))
  const asked = direction === 'down' ? executed.slice(-steps) : []
  return [
    ...executed.flatMap((each) => {
      const file = byName.get(each.name)
      if (file === undefined) return [newer(each)]
      return file.checksum === each.checksum || each.unfinished === true ? [] : [edited(each, file)]
    }),
    ...asked.filter(({ name }) => byName.get(name)?.down === null).map(({ name }) => noDown(name))
  ]
}

function newer({ name, executedAt }: ExecutedMigration): Problem {
  return {
    code: 'SVC_ORM_MIGRATION_UNKNOWN',
    message: `the database is newer than this code: ${name} ran on it and its file is missing here; nothing was done`,
    got: `${name}, which ran at ${executedAt.toISOString()}`,
    expected: 'a file for every migration that ran',
    fix: 'deploy the code that contains the file; npx svc orm:rollback there undoes it'
  }
}

function edited({ name, checksum }: ExecutedMigration, file: LoadedMigration): Problem {
  return {
    code: 'SVC_ORM_MIGRATION_EDITED',
    message: `${name} was edited after it had run, so the database does not match the file; nothing was done`,
    got: `checksum ${file.checksum}`,
    expected: `checksum ${checksum}, as it ran`,
    fix: 'restore the file, and put the change into a new migration'
  }
}

function noDown(name: string): Problem {
  return {
    code: 'SVC_ORM_MIGRATION_NO_DOWN',
    message: `${name} has no down: it cannot be rolled back; nothing was done`,
    fix: 'write a new migration, or restore a backup'
  }
}
