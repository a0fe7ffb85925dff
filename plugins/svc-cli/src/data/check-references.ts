/**
 * `svc orm:check`: lists rows whose reference names a row that is gone, and mends them with `--repair`. The boot migrates
 * nothing meanwhile, as such rows may be what stops a migration.
 */
import { databasesOf, type ReferenceView } from '../application/database-view.ts'
import { inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson, textTable } from '../output.ts'
import { askConsent } from './ask-consent.ts'

export interface CheckReferencesOptions extends AppOptions {
  connector?: string
  json?: true
  repair?: true
  /** Agrees without being asked. */
  yes?: true
}

const MORE = 'npx svc docs keeping-references'

/** @throws CommandError SVC_CHECK_NONE, SVC_CHECK_DANGLING, SVC_CHECK_DECLINED; what svc-orm throws */
export function checkReferences({ connector, json, repair, yes, ...options }: CheckReferencesOptions): Promise<void> {
  return inspectApp(options, 'svc orm:check', async ({ register }) => {
    const fastify = await register()
    const orm = databasesOf(fastify)
    if (orm === null) throw new CommandError(none())
    orm.migrations.hold()
    await fastify.ready()
    const checked = await orm.checkReferences(connector)
    const found = checked.filter(({ dangling }) => dangling > 0)
    if (json === true) printJson(checked)
    else if (found.length > 0) printFound(found)
    else print(`${checked.length} relations checked: every reference names a row`)
    if (found.length === 0) return
    if (repair !== true) throw new CommandError(dangling(found))
    if (yes !== true) await askFor(found)
    for (const mended of await orm.repairReferences(connector)) print(`${placeOf(mended)}: ${doneText(mended)}`)
  })
}

function printFound(found: readonly ReferenceView[]): void {
  const rows = found.map((each) => {
    const { dangling: count, first, target } = each
    const more = count > first.length ? ', ...' : ''
    return [placeOf(each), target, String(count), each.onDelete, `${first.join(', ')}${more}`]
  })
  print(textTable(['REFERENCE', 'NAMES NO', 'ROWS', 'ON DELETE', 'FIRST IDS'], rows))
}

function placeOf({ connector, entity, field }: ReferenceView): string {
  return `${connector}: ${entity}.${field}`
}

async function askFor(found: readonly ReferenceView[]): Promise<void> {
  if (!process.stdin.isTTY) throw declined('there is no terminal to ask for confirmation')
  const agreed = await askConsent(`This ${found.map(plannedText).join(', ')}.`)
  if (agreed !== true) throw declined('the repair was not confirmed')
}

function plannedText({ entity, field, dangling: rows, repair }: ReferenceView): string {
  return repair === 'delete'
    ? `deletes ${rows} rows of ${entity}`
    : `sets ${field} of ${rows} rows of ${entity} to null`
}

function doneText({ dangling: rows, repair }: ReferenceView): string {
  return repair === 'delete' ? `deleted ${rows} rows` : `set ${rows} references to null`
}

function dangling(found: readonly ReferenceView[]) {
  const total = found.reduce((sum, each) => sum + each.dangling, 0)
  return {
    code: 'SVC_CHECK_DANGLING',
    message: `${total} rows name a row that does not exist, in ${found.length} relations`,
    fix: 'npx svc orm:check --repair, or correct the rows',
    more: MORE
  }
}

function declined(why: string): CommandError {
  return new CommandError({
    code: 'SVC_CHECK_DECLINED',
    message: `${why}: nothing was changed`,
    fix: 'npx svc orm:check --repair --yes',
    more: MORE
  })
}

function none() {
  return {
    code: 'SVC_CHECK_NONE',
    message: 'this application has no entities to check',
    at: 'modules (svc.config.ts)',
    expected: 'svc-sqlorm or svc-docdb',
    fix: 'npx svc module:add sql',
    more: MORE
  }
}
