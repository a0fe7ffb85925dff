/**
 * The roles of an organisation, as the options declare them. `owner` is built in and has every permission. A role is at most
 * another where its permissions are among those of the other. Pure.
 */

export const OWNER = 'owner'

/** What the routes of this package ask for, beside the permissions that roles of the application name. */
export const OWN_PERMISSIONS = ['members', 'settings', 'keys', 'domains', 'provisioning', 'deletion'] as const

/** What every member may. */
export const MEMBER = 'member'

export type RolesConfig = Readonly<Record<string, { readonly permissions: readonly string[] }>>

/** What a caller may in an organisation, as narrowed by its credential. */
export interface Rights {
  /** Has the role `owner`, and is no machine. */
  readonly owner: boolean
  readonly permissions: ReadonlySet<string>
}

export class OrganizationRoles {
  readonly #permissions: ReadonlyMap<string, ReadonlySet<string>>
  readonly #attributes: ReadonlyMap<string, string>

  constructor(roles: RolesConfig) {
    const named = Object.values(roles).flatMap(({ permissions }) => permissions)
    const every = new Set<string>([...OWN_PERMISSIONS, ...named])
    const declared = Object.entries(roles).map(([name, { permissions }]) => [name, new Set(permissions)] as const)
    this.#permissions = new Map<string, ReadonlySet<string>>([[OWNER, every], ...declared])
    this.#attributes = new Map([MEMBER, ...every].map((permission) => [attributeOf(permission), permission]))
  }

  /** Every permission there is, `owner` has them all. */
  get permissions(): readonly string[] {
    return [...this.of(OWNER)]
  }

  get names(): readonly string[] {
    return [...this.#permissions.keys()]
  }

  has(role: string): boolean {
    return this.#permissions.has(role)
  }

  /** Of a role that the options do not have any more, none. */
  of(role: string): ReadonlySet<string> {
    return this.#permissions.get(role) ?? new Set()
  }

  /** Whether a caller may give, change or take a role: none above the own rights. */
  reaches(own: Rights, role: string): boolean {
    if (own.owner) return true
    return role !== OWNER && [...this.of(role)].every((permission) => own.permissions.has(permission))
  }

  /** The permission that an attribute such as `ORG_BILLING` asks for; `null` where there is none. */
  permissionOf(attribute: string): string | null {
    return this.#attributes.get(attribute) ?? null
  }
}

/** `ORG_TEAM_BILLING` of `team-billing`. */
export function attributeOf(permission: string): string {
  return `ORG_${permission.toUpperCase().replaceAll('-', '_')}`
}
