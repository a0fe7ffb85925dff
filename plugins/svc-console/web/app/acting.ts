/** As whom the session of this browser acts, and how that begins and ends. Each page says so, also one that is refused. */
import { signal } from '@preact/signals'
import type { ImpersonationState, OwnSession } from 'svc-security/wire'
import { call, forgetToken, SECURITY_API } from './api.ts'
import { serves, settings } from './settings.ts'

export type Acting = NonNullable<ImpersonationState['acting']>

const PATH = `${SECURITY_API}/impersonation`

/** `null` while the session acts as its own user. */
export const acting = signal<Acting | null>(null)

/** Looks again; what does not answer changes nothing. */
export async function readActing(): Promise<void> {
  if (!serves('impersonation')) return
  const found = await call<ImpersonationState>('GET', PATH).catch(() => null)
  if (found !== null) acting.value = found.acting
}

/** @param write also for changes @throws ApiError */
export async function beginActing(user: string, reason: string, write: boolean): Promise<void> {
  await call('POST', PATH, { user, reason, write })
  // Nothing of this page is the administrator's to do any more.
  forgetToken()
  window.location.assign(settings.base)
}

/** A page that was refused is that of the user, and the session that of the administrator: its token is read by itself. */
export async function endActing(): Promise<void> {
  try {
    const { csrfToken } = await call<OwnSession>('GET', `${SECURITY_API}/auth/csrf`)
    await fetch(PATH, { method: 'DELETE', headers: { accept: 'application/json', 'x-csrf-token': csrfToken } })
  } finally {
    window.location.reload()
  }
}
