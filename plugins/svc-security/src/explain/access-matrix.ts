/**
 * Which role gets in where: a row for each route, a cell for each role. A subject is known only when a route is asked
 * for, so a guard that names one is decided without it: what the other attributes settle is `granted` or `refused`, and
 * the rest `depends`, as it does where authenticators of the zone make tokens that are judged differently.
 */
import type { Requirement } from 'svc-kernel'
import { type Caller, explainRequest, type SecurityView } from 'svc-kernel/explain'
import { describeRequirement, type ListedRoute } from 'svc-kernel/plugin'
import { knownRoles } from '../authorization/known-roles.ts'

export type MatrixCell = 'granted' | 'refused' | 'depends'

export interface MatrixRow {
  /** `WEBSOCKET` where the route answers nothing else. */
  readonly method: string
  /** Full template. */
  readonly path: string
  readonly name: string | null
  readonly requirement: string | null
  /** In the order of the roles. */
  readonly cells: readonly MatrixCell[]
}

/** The column of the visitor who proves nothing. */
export const NOBODY = 'anonymous'

/** The roles that the hierarchy or a guard names, sorted; first of all the visitor who proves nothing. */
export function matrixRoles(routes: readonly ListedRoute[], hierarchy: readonly string[]): string[] {
  return [NOBODY, ...knownRoles(routes, hierarchy)]
}

/** One row after the other: voters of an application may ask a store. */
export async function matrixRows(
  routes: readonly ListedRoute[],
  roles: readonly string[],
  security: SecurityView | null
): Promise<MatrixRow[]> {
  const rows: MatrixRow[] = []
  for (const route of routes) {
    const socket = !route.transports.includes('HTTP')
    rows.push({
      method: socket ? 'WEBSOCKET' : route.methods.join(','),
      path: route.path,
      name: route.name,
      requirement: route.requirement && describeRequirement(route.requirement),
      cells: await Promise.all(roles.map((role) => cellOf(route, socket, callerWith(role), security)))
    })
  }
  return rows
}

async function cellOf(
  route: ListedRoute,
  socket: boolean,
  caller: Caller,
  security: SecurityView | null
): Promise<MatrixCell> {
  const decide = async (requirement: Requirement | null): Promise<MatrixCell> => {
    const found = { route: { ...route, requirement }, params: {} }
    const { outcome } = await explainRequest({ found, path: route.path, socket, caller }, security)
    if (outcome === null) return 'depends'
    return outcome.decision === 'granted' ? 'granted' : 'refused'
  }
  const { requirement } = route
  if (requirement?.flat().every(({ subject }) => subject === undefined) ?? true) return decide(requirement)
  const sure = (requirement as Requirement).map((clause) => clause.filter(({ subject }) => subject === undefined))
  const atLeast = await decide(sure)
  if (atLeast !== 'refused') return atLeast
  // What no subject can mend: a clause without one, and whatever refuses a caller before the guard.
  const settled = (requirement as Requirement).filter((clause) => clause.every(({ subject }) => subject === undefined))
  const identified = await decide(settled.length > 0 ? settled : null)
  return identified === 'refused' ? 'refused' : 'depends'
}

function callerWith(role: string): Caller {
  const someone = { scopes: [], barred: null, note: null }
  if (role === NOBODY) return { ...someone, identifier: NOBODY, roles: [], anonymous: true }
  return { ...someone, identifier: 'someone', roles: [role], anonymous: false }
}
