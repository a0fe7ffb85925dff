/**
 * Which role gets in where: a row for each route, a cell for each role. A subject, and the proof of the caller, is known
 * only when a route is asked for, so a guard that asks for one is decided without it: what the other attributes settle is
 * `granted` or `refused`, and the rest `depends`, as it does where authenticators of the zone make tokens that are judged
 * differently.
 */
import type { Requirement } from 'svc-kernel'
import { type Caller, type Explanation, explainRequest, type SecurityView } from 'svc-kernel/explain'
import {
  type AttributeCheck,
  asksOrganization,
  describeRequirement,
  type ListedRoute,
  proofDemandOf
} from 'svc-kernel/plugin'
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
  security: SecurityView | null,
  namesOrganization: (route: ListedRoute) => boolean
): Promise<MatrixRow[]> {
  const rows: MatrixRow[] = []
  for (const route of routes) {
    rows.push({
      method: methodOf(route),
      path: route.path,
      name: route.name,
      requirement: route.requirement && describeRequirement(route.requirement),
      cells: await Promise.all(
        roles.map(async (role) => (await rightOn(route, callerWith(role), security, namesOrganization)).cell)
      )
    })
  }
  return rows
}

export function methodOf({ methods, transports }: ListedRoute): string {
  return transports.includes('HTTP') ? methods.join(',') : 'WEBSOCKET'
}

/** What one caller may do at a route, and what refuses them. */
export interface Right {
  readonly cell: MatrixCell
  /** As in an explanation; `null` unless refused. */
  readonly reason: string | null
  /** Attributes of the guard of which the caller lacks one; empty where the guard does not refuse. */
  readonly lacking: readonly string[]
}

/** @param namesOrganization whether the organisation of a request has a say, which no route settles */
export async function rightOn(
  route: ListedRoute,
  caller: Caller,
  security: SecurityView | null,
  namesOrganization: (route: ListedRoute) => boolean
): Promise<Right> {
  const socket = !route.transports.includes('HTTP')
  let found: Right = { cell: 'depends', reason: null, lacking: [] }
  const decide = async (requirement: Requirement | null): Promise<MatrixCell> => {
    const request = { found: { route: { ...route, requirement }, params: {} }, path: route.path, socket, caller }
    found = rightOf(await explainRequest(request, security))
    return found.cell
  }
  const cell = await settle(route, decide)
  if (cell === 'refused') return found
  return { cell: namesOrganization(route) ? 'depends' : cell, reason: null, lacking: [] }
}

function rightOf({ outcome, proofs }: Explanation): Right {
  if (outcome === null) return { cell: 'depends', reason: null, lacking: [] }
  if (outcome.decision === 'granted') return { cell: 'granted', reason: null, lacking: [] }
  const refusing = proofs.flatMap(({ clauses }) => clauses.filter(({ granted }) => !granted).slice(0, 1))[0]
  const lacking = (refusing?.attributes ?? []).map(({ attribute }) => attribute)
  return { cell: 'refused', reason: outcome.reason, lacking }
}

async function settle(
  { requirement }: ListedRoute,
  decide: (requirement: Requirement | null) => Promise<MatrixCell>
): Promise<MatrixCell> {
  if (requirement?.flat().every(isKnown) ?? true) return decide(requirement)
  const sure = (requirement as Requirement).map((clause) => clause.filter(isKnown))
  const atLeast = await decide(sure)
  if (atLeast !== 'refused') return atLeast
  // What no subject can mend: a clause without one, and whatever refuses a caller before the guard.
  const settled = (requirement as Requirement).filter((clause) => clause.every(isKnown))
  const identified = await decide(settled.length > 0 ? settled : null)
  return identified === 'refused' ? 'refused' : 'depends'
}

/** What a request brings, a subject, a proof or an organisation, is not known of a role. */
function isKnown({ attribute, subject }: AttributeCheck): boolean {
  return subject === undefined && proofDemandOf(attribute) === null && !asksOrganization(attribute)
}

/** The factors that an area or a role needs count as shown: whoever has the role may show them. */
const LOGIN = Object.freeze({ ageS: 0, factors: Object.freeze(['pwd', 'otp', 'passkey']) })

function callerWith(role: string): Caller {
  const someone = { scopes: [], barred: null, note: null, login: LOGIN }
  if (role === NOBODY) return { ...someone, identifier: NOBODY, roles: [], anonymous: true }
  return { ...someone, identifier: 'someone', roles: [role], anonymous: false }
}
