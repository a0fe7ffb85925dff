/**
 * Which logins need a second factor: by the area that a request enters (`areas.*.requireFactor`) and by the roles of its
 * user (`requireFactor`). A login without one opens nothing there; the routes of the own account, which enrol a factor and
 * confirm by one, ask the session alone and stay open. A machine is no login. Pure.
 */
import type { AccessToken, FactorName } from 'svc-kernel'
import { findProof, type ProofDemand, proofAttributes, proofDemandOf, proofRefusal } from 'svc-kernel/plugin'
import type { SecurityConfig } from '../options.ts'
import type { RoleHierarchy } from './role-hierarchy.ts'

/** What was missing. */
export interface FactorRefusal {
  readonly error: Error
  /** Of the demand, for the journal. */
  readonly attribute: string
}

interface Rule {
  readonly attribute: string
  readonly demand: ProofDemand
}

export class FactorPolicy {
  readonly #areas: ReadonlyMap<string, Rule>
  readonly #roles: readonly (Rule & { readonly role: string })[]
  readonly #hierarchy: RoleHierarchy
  readonly #scheme: string

  constructor({ areas, requireFactor, jwt }: SecurityConfig, hierarchy: RoleHierarchy) {
    this.#areas = new Map(
      Object.entries(areas).flatMap(([name, { requireFactor: factor }]) =>
        factor === undefined ? [] : [[name, ruleOf(factor)] as const]
      )
    )
    this.#roles = Object.entries(requireFactor).map(([role, factor]) => ({ role, ...ruleOf(factor) }))
    this.#hierarchy = hierarchy
    this.#scheme = jwt.schemes[0] ?? 'Bearer'
  }

  /** Whether any login needs a factor. */
  get isOn(): boolean {
    return this.#areas.size > 0 || this.#roles.length > 0
  }

  /** @param zone its name; `null` outside of all, where the roles alone ask @returns `null` where nothing is missing */
  refusalOf(zone: string | null, token: AccessToken): FactorRefusal | null {
    const missing = this.#rulesFor(zone, token).filter(({ demand }) => findProof(token, demand, 0) === 'factor')
    const [first] = missing
    if (first === undefined) return null
    const demands = missing.map(({ demand }) => demand)
    return { error: proofRefusal(token, demands, this.#scheme), attribute: first.attribute }
  }

  #rulesFor(zone: string | null, { user }: AccessToken): Rule[] {
    const area = zone === null ? undefined : this.#areas.get(zone)
    const ofRoles = this.#roles.filter(({ role }) => this.#hierarchy.grants(user.roles, role))
    return area === undefined ? ofRoles : [area, ...ofRoles]
  }
}

function ruleOf(factor: FactorName): Rule {
  const attribute = proofAttributes({ factor })[0] as string
  return { attribute, demand: proofDemandOf(attribute) as ProofDemand }
}
