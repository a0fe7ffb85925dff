/**
 * The organisation goes along with a job. When an attempt begins, it is entered again: the organisation must still be open,
 * and who caused the job must still belong to it. Else the job is parked.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { currentOrganization, currentRequest } from 'svc-kernel'
import { type ContextCarrier, readableError, runInOrganization } from 'svc-kernel/plugin'
import { activeOf } from './organization.hook.ts'

const causes = new AsyncLocalStorage<TakenOrganization>()

export interface TakenOrganization {
  readonly id: string
  /** Id of the user who caused it; `null`: a key, or the application itself. */
  readonly userId: string | null
}

/** @throws OrganizationNotFound (404), OrganizationSuspended, OrganizationClosing (403) */
export type JobCheck = (taken: TakenOrganization) => Promise<void>

export function jobOrganizations(check: JobCheck): ContextCarrier<TakenOrganization> {
  return {
    take() {
      const id = currentOrganization()
      if (id === null) return undefined
      const request = currentRequest()
      const membership = request === undefined ? null : (activeOf(request)?.membership ?? null)
      const before = causes.getStore()
      return { id, userId: membership?.userId ?? (before?.id === id ? before.userId : null) }
    },
    enter<T>(organization: TakenOrganization, work: () => T): T {
      // svc-jobs awaits what an attempt returns.
      return entered(check, organization, work) as T
    }
  }
}

async function entered<T>(check: JobCheck, organization: TakenOrganization, work: () => T): Promise<unknown> {
  try {
    await check(organization)
  } catch (error) {
    const { statusCode, message } = readableError(error)
    if (statusCode !== 404 && statusCode !== 403) throw error
    const { JobRefused } = await import('svc-jobs/errors')
    throw new JobRefused(message)
  }
  return causes.run(organization, () => runInOrganization(organization.id, work))
}
