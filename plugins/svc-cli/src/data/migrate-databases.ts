/**
 * `svc orm:baseline`, `orm:diff`, `orm:migrate`, `orm:rollback` and `orm:status`: what svc-orm does, printed. The application boots
 * without opening a database, so that nothing is added before a migration looks.
 */
import { relative } from 'node:path'
import { formatProblem } from 'svc-kernel/host'
import {
  databasesOf,
  type LossView,
  type MigrationsView,
  type StatusView,
  type WrittenView
} from '../application/database-view.ts'
import { inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { complain, print, printJson, textTable } from '../output.ts'
import { askConsent } from './ask-consent.ts'

interface MigrateOptions extends AppOptions {
  connector?: string
  dryRun?: true
}

/** A line that wants a person; the one for steps of their own is in every migration. */
const MARK = /DATA: (?!steps of your own)/

const MORE = 'npx svc docs migrations-operations'

/** @throws CommandError SVC_MIGRATE_NONE; what svc-orm throws */
export function diffEntities(name: string, { connector, dryRun, ...options }: MigrateOptions): Promise<void> {
  return withMigrations(options, 'svc orm:diff', async (migrations) => {
    const written = await migrations.diff(name, { ...named(connector), dryRun: dryRun === true })
    if (written === null) return print('no entity changed since the last migration')
    printWritten(written, dryRun === true)
  })
}

/** @throws CommandError SVC_MIGRATE_NONE; what svc-orm throws */
export function baselineDatabase({ connector, dryRun, ...options }: MigrateOptions): Promise<void> {
  return withMigrations(options, 'svc orm:baseline', async (migrations) => {
    const written = await migrations.baseline({ ...named(connector), dryRun: dryRun === true })
    if (written === null)
      return print('the database has no table of an entity: npx svc orm:diff writes the first migration')
    printWritten(written, dryRun === true)
    if (dryRun !== true)
      print('npx svc orm:migrate finds these tables, leaves them as they are, and records the migration')
  })
}

/** @throws CommandError SVC_MIGRATE_NONE; what svc-orm throws */
export function migrateDatabases({ connector, dryRun, ...options }: MigrateOptions): Promise<void> {
  return withMigrations(options, 'svc orm:migrate', async (migrations) => {
    const ran = await migrations.migrate(runOptions(connector, dryRun))
    for (const { connector: name, names } of ran) printRan(name, names, dryRun === true ? 'would run' : 'ran')
  })
}

/** @throws CommandError SVC_MIGRATE_NONE, SVC_MIGRATE_STEPS, SVC_MIGRATE_CONFIRM; what svc-orm throws */
export function rollbackDatabases(given: MigrateOptions & { steps: string; yes?: true }): Promise<void> {
  const { connector, dryRun, steps, yes, ...options } = given
  if (!/^[1-9]\d{0,3}$/.test(steps)) {
    const expected = 'a number from 1 to 9999'
    throw new CommandError({ code: 'SVC_MIGRATE_STEPS', message: '--steps is not a number of migrations', expected }, 2)
  }
  return withMigrations(options, 'svc orm:rollback', async (migrations) => {
    const confirm = async (losses: readonly LossView[]): Promise<boolean> => {
      if (yes === true) return true
      const agreed = await askConsent(`The rollback deletes ${losses.map(({ text }) => text).join(', ')}.`)
      if (agreed !== true) throw new CommandError(unconfirmed(losses))
      return true
    }
    const losing = ({ text }: LossView) => complain(`would delete ${text}`)
    const run = { ...runOptions(connector, dryRun), ...(dryRun === true && { losing }) }
    const ran = await migrations.rollback(Number(steps), { ...run, confirm })
    for (const { connector: name, names } of ran) printRan(name, names, dryRun === true ? 'would undo' : 'undid')
  })
}

/** @throws CommandError SVC_MIGRATE_NONE, SVC_MIGRATE_OPEN; what svc-orm throws */
export function statusOfDatabases(given: MigrateOptions & { json?: true }): Promise<void> {
  const { connector, json, ...options } = given
  return withMigrations(options, 'svc orm:status', async (migrations) => {
    const all = await migrations.status(connector)
    if (json === true) printJson(all)
    else print(all.map(statusText).join('\n\n'))
    const open = all.flatMap(openIn)
    if (open.length > 0) {
      throw new CommandError({ code: 'SVC_MIGRATE_OPEN', message: open.join('; '), fix: fixOf(all), more: MORE })
    }
  })
}

function withMigrations(
  options: AppOptions,
  command: string,
  work: (migrations: MigrationsView) => Promise<void>
): Promise<void> {
  return inspectApp(
    options,
    command,
    async ({ register }) => {
      const fastify = await register()
      await fastify.ready()
      const orm = databasesOf(fastify)
      if (orm === null) throw new CommandError(none())
      await work(orm.migrations)
    },
    { checkOnly: true, migrating: true }
  )
}

/** Warnings and marks go where people look: what a script reads is the files. */
function printWritten({ source, steps, files, baseline, warnings }: WrittenView, dryRun: boolean): void {
  const sources = [...(baseline === null ? [] : [baseline.source]), source]
  if (dryRun) print(sources.map((each) => each.trimEnd()).join('\n\n'))
  for (const file of files) print(`wrote ${relative(process.cwd(), file)}`)
  if (!dryRun) for (const step of steps) print(`  ${step}`)
  for (const warning of warnings) complain(formatProblem(warning, undefined, '▲'))
  if (!dryRun && MARK.test(source)) complain('check the lines marked DATA: before you run it')
}

function named(connector: string | undefined) {
  return connector === undefined ? {} : { connector }
}

function runOptions(connector: string | undefined, dryRun: true | undefined) {
  return {
    ...named(connector),
    progress: complain,
    ...(dryRun === true && { preview: print })
  }
}

function printRan(connector: string, names: readonly string[], verb: string): void {
  print(
    names.length === 0 ? `${connector}: nothing to do` : names.map((name) => `${connector}: ${verb} ${name}`).join('\n')
  )
}

function statusText({ connector, vendor, migrations, unwritten, problems }: StatusView): string {
  const rows = migrations.map(({ name, executedAt }) => [name, executedAt?.toISOString() ?? 'not yet'])
  return [
    `${connector} (${vendor})`,
    rows.length === 0 ? 'no migrations' : textTable(['MIGRATION', 'RAN AT'], rows),
    ...(unwritten.length === 0
      ? []
      : [`no migration was written for:\n${unwritten.map((step) => `  ${step}`).join('\n')}`]),
    ...problems.map((problem) => formatProblem(problem, undefined, '▲'))
  ].join('\n')
}

function openIn({ connector, migrations, unwritten, problems }: StatusView): string[] {
  const pending = migrations.filter(({ executedAt }) => executedAt === null).length
  return [
    pending > 0 && `${pending} of ${migrations.length} migrations of ${connector} have not run`,
    unwritten.length > 0 && `entities of ${connector} changed since the last migration`,
    problems.length > 0 && `${problems.length} differences on ${connector}`
  ].filter((part) => part !== false)
}

function fixOf(all: readonly StatusView[]): string {
  if (all.some(({ unwritten }) => unwritten.length > 0)) return 'npx svc orm:diff <name>, then npx svc orm:migrate'
  const pending = all.some(({ migrations }) => migrations.some(({ executedAt }) => executedAt === null))
  return pending ? 'npx svc orm:migrate' : 'apply the fix of each difference'
}

function unconfirmed(losses: readonly LossView[]) {
  return {
    code: 'SVC_MIGRATE_CONFIRM',
    message: `the rollback deletes ${losses.map(({ text }) => text).join(', ')}; nothing was done`,
    fix: 'npx svc orm:rollback --yes; npx svc orm:rollback --dry-run shows it first',
    more: MORE
  }
}

function none() {
  return {
    code: 'SVC_MIGRATE_NONE',
    message: 'this application has no entities: there is nothing to migrate',
    at: 'modules (svc.config.ts)',
    expected: 'svc-sqlorm or svc-docdb',
    fix: 'npx svc module:add sql',
    more: MORE
  }
}
