/** `svc routes`: every route with its zone and guard. Modules register; nothing connects, no port opens. */

import { patternText, securityOf, type ZoneView } from 'svc-kernel/explain'
import type { ListedRoute } from 'svc-kernel/plugin'
import { type Inspection, inspectApp } from '../application/inspect-app.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson, textTable } from '../output.ts'

const COMMAND = 'svc routes'

export async function routes(options: AppOptions & { json?: true }): Promise<void> {
  const rowsOf = async ({ kernel, routes: listed, register }: Inspection) => {
    const security = securityOf(await register())
    return routeRows(listed(), {
      zoneOf: (template) => security?.zoneOf(template) ?? null,
      describeRequirement: kernel.describeRequirement
    })
  }
  const rows = await inspectApp(options, COMMAND, rowsOf, { checkOnly: true })
  if (options.json === true) printJson(rows)
  else if (rows.length === 0) print('no routes')
  else print(textTable(ROW_HEADS, rows.map(rowCells)))
}

/** One row of the route listing. */
export interface RouteRow {
  /** `WEBSOCKET` or `JOB` where the route answers nothing else. */
  readonly method: string
  readonly path: string
  /** `HTTP`, `WS`, `HTTP+WS` or `JOB`. */
  readonly transport: string
  readonly zone: { readonly name: string; readonly pattern: string } | null
  readonly authenticators: readonly string[]
  /** As the route declares it, or `null` when it is open to all who pass the zone. */
  readonly guard: string | null
  /** `session`: the route asks for the session itself. */
  readonly access: 'guarded' | 'anonymous' | 'session' | 'bypass' | 'open'
  readonly name: string | null
  readonly source: string | null
}

export interface RowParts {
  zoneOf(template: string): ZoneView | null
  describeRequirement(requirement: NonNullable<ListedRoute['requirement']>): string
}

/** Sorted by path, then method. */
export function routeRows(routes: readonly ListedRoute[], parts: RowParts): RouteRow[] {
  return routes.map((route) => row(route, parts)).sort((a, b) => compare(a.path, b.path) || compare(a.method, b.method))
}

export const ROW_HEADS = ['METHOD', 'PATH', 'TRANSPORT', 'ZONE', 'AUTHENTICATORS', 'GUARD', 'ROUTE', 'SOURCE'] as const

/** The cells of a row, `-` where there is nothing. */
export function rowCells({
  method,
  path,
  transport,
  zone,
  authenticators,
  guard,
  access,
  name,
  source
}: RouteRow): string[] {
  const open = access === 'guarded' || access === 'open' ? '-' : `(${access})`
  return [
    method,
    path,
    transport,
    zone?.pattern ?? '-',
    authenticators.join(', ') || '-',
    guard ?? open,
    name ?? '-',
    source ?? '-'
  ]
}

function row(route: ListedRoute, { zoneOf, describeRequirement }: RowParts): RouteRow {
  const zone = zoneOf(route.path)
  const skipped = route.anonymous || route.bypassFirewall
  return {
    method: route.transports.includes('HTTP') ? route.methods.join(',') : (route.transports[0] ?? 'HTTP'),
    path: route.path,
    transport: route.transports.map((transport) => (transport === 'WEBSOCKET' ? 'WS' : transport)).join('+'),
    zone: zone === null ? null : { name: zone.name, pattern: patternText(zone) },
    authenticators: skipped || zone === null ? [] : zone.authenticators,
    guard: route.requirement === null ? null : describeRequirement(route.requirement),
    access: accessOf(route),
    name: route.name,
    source: route.source
  }
}

function accessOf({ requirement, anonymous, session, bypassFirewall }: ListedRoute): RouteRow['access'] {
  if (requirement !== null) return 'guarded'
  if (session !== null) return 'session'
  if (bypassFirewall) return 'bypass'
  return anonymous ? 'anonymous' : 'open'
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
