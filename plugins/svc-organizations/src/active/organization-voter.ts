/**
 * Votes on `ORG_BILLING` and the like: the permissions of the caller in the organisation of the request or job. A guard with a
 * subject, as that of a channel, asks about the organisation which that names: never about another. It never denies.
 */
import { type AccessToken, currentOrganization, currentRequest } from 'svc-kernel'
import { asksOrganization, readableError } from 'svc-kernel/plugin'
import { ABSTAIN, type AccessVoter, GRANT, type VoteResult } from 'svc-security'
import type { OrganizationRoles } from '../roles/organization-roles.ts'
import { type ActiveOrganization, type ActiveOrganizations, holds } from './active-organizations.ts'
import { activeOf } from './organization.hook.ts'
import { isExplainedClosing } from './organization-entry.ts'

const ANOTHER: VoteResult = { vote: ABSTAIN, reason: 'the request works in another organisation' }

export class OrganizationVoter implements AccessVoter {
  readonly name = 'organization'
  readonly #roles: OrganizationRoles
  readonly #actives: Pick<ActiveOrganizations, 'enter'>

  constructor(roles: OrganizationRoles, actives: Pick<ActiveOrganizations, 'enter'>) {
    this.#roles = roles
    this.#actives = actives
  }

  supports(attribute: string): boolean {
    return asksOrganization(attribute) && this.#roles.permissionOf(attribute) !== null
  }

  vote(token: AccessToken, attribute: string, subject?: unknown): VoteResult | Promise<VoteResult> {
    const id = currentOrganization()
    const asked = subject ?? id
    if (asked === null) return { vote: ABSTAIN, reason: 'the request names no organisation' }
    if (typeof asked !== 'string' || asked === '') return { vote: ABSTAIN, reason: 'the subject names no organisation' }
    const permission = this.#roles.permissionOf(attribute) as string
    const request = currentRequest()
    const known = request === undefined ? null : activeOf(request)
    if (known !== null && known.organization.id === id && request?.token === token) {
      const { slug } = known.organization
      return asked === id || asked === slug ? verdict(known, token, permission) : ANOTHER
    }
    return this.#asked(token, asked, id, permission)
  }

  /** In a job, on a channel and for an explanation: nothing is known of the caller yet. @param within `null`: of none */
  async #asked(token: AccessToken, name: string, within: string | null, permission: string): Promise<VoteResult> {
    try {
      const active = await this.#actives.enter(token, name, name === within && isExplainedClosing(name))
      return within === null || within === active.organization.id ? verdict(active, token, permission) : ANOTHER
    } catch (error) {
      const { statusCode, message } = readableError(error)
      if (statusCode !== 404 && statusCode !== 403) throw error
      const who = token.getUserIdentifier()
      return { vote: ABSTAIN, reason: statusCode === 404 ? `${who} is not a member of the organisation` : message }
    }
  }
}

function verdict(active: ActiveOrganization, token: AccessToken, permission: string): VoteResult {
  const who = token.getUserIdentifier()
  const as = active.membership === null ? 'a key of' : `${active.membership.role} of`
  const where = `${who}, ${as} ${active.organization.slug},`
  if (holds(active, token, permission)) return { vote: GRANT, reason: `${where} has the permission ${permission}` }
  return { vote: ABSTAIN, reason: `${where} lacks the permission ${permission}, or its scope` }
}
