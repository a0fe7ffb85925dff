/** Whether a caller is admitted to an organisation, and why not: what administrators read, and callers never. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AccessToken } from 'svc-kernel'
import { runInOrganization } from 'svc-kernel/plugin'
import { OrganizationClosing, OrganizationNotFound, OrganizationSuspended } from '../errors.ts'
import type { ActiveOrganizations } from './active-organizations.ts'

/** Whether an organisation lets a caller in, as `fastify.organizations.entry` answers. */
export interface OrganizationEntry {
  /** Runs what is asked there; `null` where there is no such organisation. */
  readonly within: (<T>(work: () => Promise<T>) => Promise<T>) | null
  /** `null` where the caller is admitted. */
  readonly refusal: { readonly status: 403 | 404; readonly reason: string } | null
}

/** The organisation that a route in its days of grace is explained in. */
const explained = new AsyncLocalStorage<string>()

/** Whether the organisation may be in its days of grace, as for a request to a route that says so. */
export const isExplainedClosing = (id: string): boolean => explained.getStore() === id

/** @param closing whether it may be in the days of grace before its deletion */
export async function entryTo(
  actives: Pick<ActiveOrganizations, 'enter' | 'named'>,
  token: AccessToken | null,
  name: string,
  closing: boolean
): Promise<OrganizationEntry> {
  const organization = await actives.named(name)
  if (organization === null) return { within: null, refusal: { status: 404, reason: 'no-organization' } }
  const { id } = organization
  const inside = <T>(work: () => Promise<T>) => runInOrganization(id, work)
  const within = closing ? <T>(work: () => Promise<T>) => explained.run(id, () => inside(work)) : inside
  try {
    await actives.enter(token, name, closing)
    return { within, refusal: null }
  } catch (error) {
    if (error instanceof OrganizationNotFound) return { within, refusal: { status: 404, reason: 'no-member' } }
    if (error instanceof OrganizationSuspended)
      return { within, refusal: { status: 403, reason: 'organization-suspended' } }
    if (error instanceof OrganizationClosing)
      return { within, refusal: { status: 403, reason: 'organization-closing' } }
    throw error
  }
}
