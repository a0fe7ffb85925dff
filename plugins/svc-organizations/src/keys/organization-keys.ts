/**
 * Keys that belong to an organisation and not to the member who made them. They are API keys of svc-security, act for a user
 * of the organisation that nobody can sign in as, and may what their scopes say: permissions that their maker has.
 */
import type { ApiKeyService, ApiKeyView } from 'svc-security'
import { DuplicateRecord } from 'svc-stores'
import { keyUserOf, scopeOf } from '../active/active-organizations.ts'
import { KeyNotFound, PermissionAboveOwn } from '../errors.ts'
import type { OrganizationParts } from '../organization-parts.ts'
import type { Rights } from '../roles/organization-roles.ts'

/** The key to be made. */
export interface NewOrganizationKey {
  readonly name: string
  readonly permissions: readonly string[]
  /** Absent: as `apiKeys.defaultExpiryDays` of svc-security says; `null`: never. */
  readonly expiresInDays?: number | null
}

/** How a key is rotated. */
export interface KeyRotation {
  /** Seconds for which the old key stays valid: 0 to 604800; default 0. */
  readonly overlapS?: number
}

/** Seconds: a week. */
export const LONGEST_OVERLAP_S = 604_800

/** A key as lists show it. Times are epoch ms. */
export interface OrganizationKeyView {
  readonly id: string
  readonly name: string | null
  readonly permissions: readonly string[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
}

const MOST_LISTED = 1000
const DAY_MS = 86_400_000
const PREFIX = scopeOf('')

/** Makes, lists, replaces and revokes keys of organisations; times are epoch ms. */
export class OrganizationKeys {
  readonly #parts: OrganizationParts
  readonly #keys: ApiKeyService

  constructor(parts: OrganizationParts, keys: ApiKeyService) {
    this.#parts = parts
    this.#keys = keys
  }

  /** @returns the view, and the key, which is never shown again @throws PermissionAboveOwn (403), ApiKeyLimit (409) */
  async create(id: string, { name, permissions, ...more }: NewOrganizationKey, own: Rights) {
    const beyond = permissions.find((permission) => !own.permissions.has(permission))
    if (beyond !== undefined) throw new PermissionAboveOwn(beyond)
    const subject = await this.#user(id)
    const made = await this.#keys.create(subject, { name, scopes: permissions.map(scopeOf), tenantId: id, ...more })
    this.#parts.audit('organization.key_created', id, { key: made.view.id, permissions })
    return { key: shown(made.view), token: made.token }
  }

  /** Those that are alive, the newest first. */
  async list(id: string): Promise<readonly OrganizationKeyView[]> {
    const { items } = await this.#keys.list({ subject: keyUserOf(id), active: true }, { limit: MOST_LISTED })
    return items.map(shown)
  }

  /**
   * Makes a key with the same name and permissions. The old one is revoked at once, or valid beside it for `overlapS` more
   * seconds.
   *
   * @throws KeyNotFound (404), PermissionAboveOwn (403)
   */
  async rotate(id: string, key: string, own: Rights, { overlapS = 0 }: KeyRotation = {}) {
    const { items } = await this.#keys.list({ subject: keyUserOf(id), active: true }, { limit: MOST_LISTED })
    const before = items.find((each) => each.id === key)
    if (before === undefined) throw new KeyNotFound()
    const left = before.expiresAt === null ? null : Math.ceil((before.expiresAt - before.createdAt) / DAY_MS)
    const { name, permissions } = shown(before)
    const made = await this.create(id, { name: name ?? '', permissions, expiresInDays: left }, own)
    if (overlapS === 0) await this.revoke(id, key)
    else await this.#expire(id, key, overlapS)
    return made
  }

  /** At once. @throws KeyNotFound (404) */
  async revoke(id: string, key: string): Promise<void> {
    if ((await this.#keys.revoke(key, 'manual', keyUserOf(id))) === null) throw new KeyNotFound()
    this.#parts.audit('organization.key_revoked', id, { key })
  }

  /** Ends every key; with `remove` the user that they act for goes, too. */
  async end(id: string, reason: string, remove = false): Promise<void> {
    const { users } = this.#parts
    const subject = keyUserOf(id)
    if ((await users.find(subject)) === null) return
    await users.endEverything(subject, reason)
    if (remove) await users.remove(subject)
  }

  async #expire(id: string, key: string, overlapS: number): Promise<void> {
    const { clock, audit } = this.#parts
    const at = clock.now() + overlapS * 1000
    if ((await this.#keys.expire(key, at, keyUserOf(id))) === null) throw new KeyNotFound()
    audit('organization.key_expires', id, { key, at })
  }

  /** Made with the first key; it has no password. */
  async #user(id: string): Promise<string> {
    const { users } = this.#parts
    const subject = keyUserOf(id)
    if ((await users.find(subject)) !== null) return subject
    try {
      await users.create({ identifier: subject, password: null, roles: [] })
    } catch (error) {
      if (!(error instanceof DuplicateRecord)) throw error
    }
    return subject
  }
}

function shown({ id, name, scopes, createdAt, expiresAt, lastUsedAt }: ApiKeyView): OrganizationKeyView {
  const permissions = scopes.filter((scope) => scope.startsWith(PREFIX)).map((scope) => scope.slice(PREFIX.length))
  return { id, name, permissions, createdAt, expiresAt, lastUsedAt }
}
