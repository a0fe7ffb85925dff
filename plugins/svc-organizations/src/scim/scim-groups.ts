/** Groups of an organisation. Those that the options map give their members a role; owners keep theirs. */
import { randomId } from 'svc-kernel/plugin'
import { DuplicateRecord } from 'svc-stores'
import { APPLICATION, type Members } from '../members/members.ts'
import type { OrganizationParts } from '../organization-parts.ts'
import type { GroupRecord, GroupRow } from '../records/group-store.ts'
import type { FoundRows } from '../records/searched-rows.ts'
import { OWNER } from '../roles/organization-roles.ts'
import { ScimError } from './scim-error.ts'
import { fieldOf } from './scim-filter.ts'
import { META, rowQuery, type ScimColumns, type ScimListing } from './scim-listing.ts'
import type { ScimResource } from './scim-patch.ts'

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const MOST_MEMBERS = 10_000
const COLUMNS: ScimColumns = {
  id: { field: 'id', kind: 'exact' },
  externalid: { field: 'externalId', kind: 'exact' },
  displayname: { field: 'name', kind: 'folded' },
  members: { field: 'members', kind: 'items' },
  'members.value': { field: 'members', kind: 'items' },
  ...META
}
/** How often a change is made again that another one overtook. */
const TRIES = 10

export interface ScimGroupParts extends OrganizationParts {
  readonly members: Members
  readonly role: string
  /** Roles by the name of their group, the strongest first. */
  readonly groupRoles: Readonly<Record<string, string>>
}

export class ScimGroups {
  readonly #parts: ScimGroupParts

  constructor(parts: ScimGroupParts) {
    this.#parts = parts
  }

  async search(organizationId: string, listing: ScimListing): Promise<FoundRows<ScimResource>> {
    const query = rowQuery<GroupRow>(listing, COLUMNS)
    const { items, total } = await this.#parts.stores.organizationGroups.search(organizationId, query)
    return { items: items.map(resourceOf), total }
  }

  async get(organizationId: string, id: string): Promise<ScimResource> {
    return resourceOf(await this.#find(organizationId, id))
  }

  async create(organizationId: string, body: unknown): Promise<ScimResource> {
    const { stores, clock } = this.#parts
    const now = clock.now()
    const given = await this.#read(organizationId, body)
    const record: GroupRecord = { id: randomId('grp'), organizationId, ...given, createdAt: now, updatedAt: now }
    await stores.organizationGroups.create(record).catch(taken)
    await this.#giveRoles(organizationId, record.members)
    return resourceOf(record)
  }

  /** @param next the resource that takes the place of the one before; asked again where another change came first */
  async change(organizationId: string, id: string, next: (before: ScimResource) => unknown): Promise<ScimResource> {
    const { stores, clock } = this.#parts
    for (let tries = 0; tries < TRIES; tries += 1) {
      const before = await this.#find(organizationId, id)
      const given = await this.#read(organizationId, next(resourceOf(before)))
      const record = { ...before, ...given, updatedAt: clock.now() }
      const after = await stores.organizationGroups.replace(record, before.updatedAt).catch(taken)
      if (after === null || after === undefined) continue
      await this.#giveRoles(organizationId, [...before.members, ...after.members])
      return resourceOf(after)
    }
    throw new ScimError(409, 'the group is being changed by others; try again')
  }

  async remove(organizationId: string, id: string): Promise<void> {
    const { members } = await this.#find(organizationId, id)
    await this.#parts.stores.organizationGroups.remove(organizationId, id)
    await this.#giveRoles(organizationId, members)
  }

  async #find(organizationId: string, id: string): Promise<GroupRecord> {
    const found = await this.#parts.stores.organizationGroups.find(organizationId, id)
    if (found === null) throw new ScimError(404, 'there is no such resource')
    return found
  }

  async #read(organizationId: string, body: unknown) {
    const displayName = fieldOf(body, 'displayName')
    if (typeof displayName !== 'string' || displayName === '' || displayName.length > 500) {
      throw new ScimError(400, 'displayName must be a text', 'invalidValue')
    }
    const externalId = fieldOf(body, 'externalId') ?? null
    if (externalId !== null && (typeof externalId !== 'string' || externalId.length > 500)) {
      throw new ScimError(400, 'externalId must be a text', 'invalidValue')
    }
    const given = fieldOf(body, 'members') ?? []
    if (!Array.isArray(given) || given.length > MOST_MEMBERS) {
      throw new ScimError(400, `members must be a list of at most ${MOST_MEMBERS}`, 'invalidValue')
    }
    const members = [...new Set(given.map((each) => fieldOf(each, 'value')))]
    for (const member of members) {
      const found = typeof member === 'string' && (await this.#parts.stores.memberships.find(organizationId, member))
      if (!found) throw new ScimError(400, 'members must name users of the organisation by their id', 'invalidValue')
    }
    return { displayName, externalId, members: members as string[] }
  }

  async #giveRoles(organizationId: string, ids: readonly string[]): Promise<void> {
    const { stores, members, role, groupRoles } = this.#parts
    if (Object.keys(groupRoles).length === 0) return
    for (const id of new Set(ids)) {
      const membership = await stores.memberships.find(organizationId, id)
      if (membership === null || membership.role === OWNER) continue
      const names = await stores.organizationGroups.namesOf(organizationId, id)
      const [given = role] = Object.entries(groupRoles).flatMap(([name, each]) => (names.includes(name) ? [each] : []))
      await members.setRole(organizationId, id, given, APPLICATION)
    }
  }
}

function resourceOf({ id, displayName, externalId, members, createdAt, updatedAt }: GroupRecord): ScimResource {
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId === null ? {} : { externalId }),
    displayName,
    members: members.map((value) => ({ value, $ref: `/scim/v2/Users/${value}`, type: 'User' })),
    meta: {
      resourceType: 'Group',
      created: new Date(createdAt).toISOString(),
      lastModified: new Date(updatedAt).toISOString(),
      location: `/scim/v2/Groups/${id}`
    }
  }
}

function taken(error: unknown): never {
  if (error instanceof DuplicateRecord) throw new ScimError(409, 'another group has this name', 'uniqueness')
  throw error
}
