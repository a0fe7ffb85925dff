/**
 * `svc orm:check`: lists rows whose reference names a row that is gone or of another scope, and rows of trees that are above
 * themselves. `--repair` says what it would do, and does it. The boot migrates nothing meanwhile, as such rows may be what
 * stops a migration.
 */
import { databasesOf, type ReferenceView, type TreeView } from '../application/database-view.ts'
import { inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson, textTable } from '../output.ts'
import { askConsent } from './ask-consent.ts'
import { circlesTable, circlingText, openedCircles, plannedCircles } from './tree-circles.ts'

export interface CheckReferencesOptions extends AppOptions {
  connector?: string
  json?: true
  repair?: true
  /** Agrees without being asked. */
  yes?: true
}

const MORE = 'npx svc docs keeping-references'

/** @throws CommandError SVC_CHECK_NONE, SVC_CHECK_DANGLING, SVC_CHECK_CIRCLES, SVC_CHECK_DECLINED; what svc-orm throws */
export function checkReferences({ connector, json, repair, yes, ...options }: CheckReferencesOptions): Promise<void> {
  return inspectApp(options, 'svc orm:check', async ({ register }) => {
    const fastify = await register()
    const orm = databasesOf(fastify)
    if (orm === null) throw new CommandError(none())
    orm.migrations.hold()
    await fastify.ready()
    const checked = await orm.checkReferences(connector)
    const found = checked.filter(({ dangling, crossing }) => dangling + crossing.rows > 0)
    const trees = await orm.checkTrees(connector)
    const circling = trees.filter(({ circles }) => circles > 0)
    if (json === true) printJson([...checked, ...trees])
    else printChecked(checked.length, found, trees.length, circling)
    if (found.length + circling.length === 0) return
    if (repair !== true) throw new CommandError(faults(found, circling))
    await agree([...found.flatMap(plannedTexts), ...circling.flatMap(plannedCircles)], yes === true)
    for (const mended of await orm.repairReferences(connector)) print(`${placeOf(mended)}: ${doneText(mended)}`)
    for (const mended of await orm.repairTrees(connector)) print(openedCircles(mended))
    assertMended(
      found.filter(isLeft),
      circling.filter((tree) => tree.repair === null)
    )
  })
}

function printChecked(
  relations: number,
  found: readonly ReferenceView[],
  trees: number,
  circling: readonly TreeView[]
): void {
  if (found.length > 0) printFound(found)
  else print(`${relations} relations checked: every reference names a row`)
  if (circling.length > 0) print(circlesTable(circling))
  else if (trees > 0) print(`${trees} trees checked: no row is above itself`)
}

/** @throws CommandError for what a repair leaves */
function assertMended(left: readonly ReferenceView[], read: readonly TreeView[]): void {
  if (left.length > 0) throw new CommandError(crossing(left))
  if (read.length > 0) throw new CommandError(circles(read))
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

/** @throws CommandError SVC_CHECK_DECLINED */
async function agree(planned: readonly string[], isAgreed: boolean): Promise<void> {
  if (planned.length === 0) return
  const text = `This ${planned.join('; ')}.`
  if (isAgreed || !process.stdin.isTTY) print(text)
  if (isAgreed) return
  if (!process.stdin.isTTY) throw declined('there is no terminal to ask for confirmation')
  if ((await askConsent(text)) !== true) throw declined('the repair was not confirmed')
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

function faults(found: readonly ReferenceView[], circling: readonly TreeView[]) {
  if (found.length === 0) return circles(circling)
  const problem = dangling(found)
  return circling.length === 0 ? problem : { ...problem, message: `${problem.message}; ${circlingText(circling)}` }
}

function circles(trees: readonly TreeView[]) {
  const isRead = trees.every(({ repair }) => repair === null)
  return {
    code: 'SVC_CHECK_CIRCLES',
    message: circlingText(trees),
    fix: isRead ? 'correct the rows where the table is written' : 'npx svc orm:check --repair, or correct the rows',
    more: 'npx svc docs trees'
  }
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
