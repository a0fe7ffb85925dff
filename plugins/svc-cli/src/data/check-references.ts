/**
 * `svc orm:check`: lists rows whose reference names a row that is gone or of another scope, and mends them with `--repair`. The boot migrates
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
    const found = checked.filter(({ dangling, crossing }) => dangling + crossing.rows > 0)
    if (json === true) printJson(checked)
    else if (found.length > 0) printFound(found)
    else print(`${checked.length} relations checked: every reference names a row`)
    if (found.length === 0) return
    if (repair !== true) throw new CommandError(dangling(found))
    if (yes !== true) await askFor(found)
    for (const mended of await orm.repairReferences(connector)) print(`${placeOf(mended)}: ${doneText(mended)}`)
    const left = found.filter(isLeft)
    if (left.length > 0) throw new CommandError(crossing(left))
  })
}

function printFound(found: readonly ReferenceView[]): void {
  const rows = found.flatMap((each) => {
    const line = (target: string, count: number, first: readonly string[]) => {
      const more = count > first.length ? ', ...' : ''
      return count === 0 ? [] : [[placeOf(each), target, String(count), each.onDelete, `${first.join(', ')}${more}`]]
    }
    const own = `${each.target} of its scope`
    return [...line(each.target, each.dangling, each.first), ...line(own, each.crossing.rows, each.crossing.first)]
  })
  print(textTable(['REFERENCE', 'NAMES NO', 'ROWS', 'ON DELETE', 'FIRST IDS'], rows))
}

function placeOf({ connector, entity, field }: ReferenceView): string {
  return `${connector}: ${entity}.${field}`
}

async function askFor(found: readonly ReferenceView[]): Promise<void> {
  if (!process.stdin.isTTY) throw declined('there is no terminal to ask for confirmation')
  const planned = found.flatMap(plannedTexts)
  if (planned.length === 0) return
  const agreed = await askConsent(`This ${planned.join(', ')}.`)
  if (agreed !== true) throw declined('the repair was not confirmed')
}

function plannedTexts(each: ReferenceView): string[] {
  const { entity, field } = each
  const { deleted, emptied } = mendedRows(each)
  return [
    ...(deleted === 0 ? [] : [`deletes ${deleted} rows of ${entity}`]),
    ...(emptied === 0 ? [] : [`sets ${field} of ${emptied} rows of ${entity} to null`])
  ]
}

function doneText(each: ReferenceView): string {
  const { deleted, emptied } = mendedRows(each)
  const texts = [deleted > 0 && `deleted ${deleted} rows`, emptied > 0 && `set ${emptied} references to null`]
  return texts.filter((text) => text !== false).join(', ')
}

function mendedRows({ dangling: rows, repair, crossing: crossed }: ReferenceView) {
  const crossing = crossed.repair === null ? 0 : crossed.rows
  return repair === 'delete' ? { deleted: rows, emptied: crossing } : { deleted: 0, emptied: rows + crossing }
}

function isLeft({ crossing: { rows, repair } }: ReferenceView): boolean {
  return rows > 0 && repair === null
}

function dangling(found: readonly ReferenceView[]) {
  const total = found.reduce((sum, each) => sum + each.dangling + each.crossing.rows, 0)
  const what = found.some(({ crossing: { rows } }) => rows > 0) ? ', or one of another scope' : ''
  return {
    code: 'SVC_CHECK_DANGLING',
    message: `${total} rows name a row that does not exist${what}, in ${found.length} relations`,
    fix: 'npx svc orm:check --repair, or correct the rows',
    more: MORE
  }
}

function crossing(left: readonly ReferenceView[]) {
  const total = left.reduce((sum, each) => sum + each.crossing.rows, 0)
  return {
    code: 'SVC_CHECK_DANGLING',
    message: `${total} rows still name a row of another scope, because their reference must not be null`,
    fix: 'correct or delete them in fastify.orm.acrossScopes',
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
