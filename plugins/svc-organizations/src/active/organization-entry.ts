/** Whether a caller is admitted to an organisation, and why not: what administrators read, and callers never. */
import type { AccessToken } from 'svc-kernel'
import { OrganizationClosing, OrganizationNotFound, OrganizationSuspended } from '../errors.ts'
import type { ActiveOrganizations } from './active-organizations.ts'

/** `id` is `null` where there is no such organisation, `refusal` where the caller is admitted. */
export interface OrganizationEntry {
  readonly id: string | null
  readonly refusal: { readonly status: 403 | 404; readonly reason: string } | null
}

/** @param closing whether it may be in the days of grace before its deletion */
export async function entryTo(
  actives: Pick<ActiveOrganizations, 'enter' | 'named'>,
  token: AccessToken | null,
  name: string,
  closing: boolean
): Promise<OrganizationEntry> {
  const organization = await actives.named(name)
  if (organization === null) return { id: null, refusal: { status: 404, reason: 'no-organization' } }
  const { id } = organization
  try {
    await actives.enter(token, name, closing)
    return { id, refusal: null }
  } catch (error) {
    if (error instanceof OrganizationNotFound) return { id, refusal: { status: 404, reason: 'no-member' } }
    if (error instanceof OrganizationSuspended)
      return { id, refusal: { status: 403, reason: 'organization-suspended' } }
    if (error instanceof OrganizationClosing) return { id, refusal: { status: 403, reason: 'organization-closing' } }
    throw error
  }
}
