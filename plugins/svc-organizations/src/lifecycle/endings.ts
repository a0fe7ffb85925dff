/**
 * What ends with a membership: sessions, tokens and keys of the user, as svc-security ends them for a lock; sockets in the
 * organisation; jobs there that the user has caused.
 */
import { readableError } from 'svc-kernel/plugin'
import type { OrganizationParts } from '../organization-parts.ts'
import type { MembershipRecord } from '../records/membership-store.ts'

type Ended = Pick<OrganizationParts, 'users' | 'sockets' | 'jobs' | 'log'>

/** Jobs that are looked through at a time. */
const PAGE = 1000

export async function endMember(
  parts: Ended,
  { organizationId, userId, identifier: written }: Pick<MembershipRecord, 'organizationId' | 'userId' | 'identifier'>,
  reason: string
): Promise<void> {
  const { users, sockets, jobs } = parts
  const identifier = users.driver === 'application' ? written : ((await users.get(userId))?.identifier ?? written)
  sockets.end({ organization: organizationId, identifier })
  const ended = await Promise.allSettled([
    users.endEverything(identifier, reason),
    jobs === null ? null : endJobs(parts, organizationId, identifier)
  ])
  for (const each of ended) if (each.status === 'rejected') throw each.reason
}

/** @param identifier login name of who caused them; absent: all of the organisation */
export async function endJobs({ jobs, log }: Ended, organization: string, identifier?: string): Promise<void> {
  for (let before: string | null | undefined; jobs !== null && before !== null; ) {
    const page = await jobs.list({
      state: ['waiting', 'running'],
      limit: PAGE,
      ...(before === undefined ? {} : { before })
    })
    for (const { id, cause } of page.items) {
      if (cause?.organization !== organization) continue
      if (identifier !== undefined && cause.user !== identifier) continue
      await jobs.cancel(id).catch((error: unknown) => {
        // One that has ended meanwhile needs no end.
        if (readableError(error).statusCode !== 409) log.error({ err: error }, 'a job of an organisation goes on')
      })
    }
    before = page.next
  }
}
