/** Refuses what nobody does as another user, in work of the application that a request has called. */
import { currentRequest } from 'svc-kernel'
import { impersonationOf } from './acting.ts'
import { NotWhileImpersonating } from './errors.ts'

/** @throws NotWhileImpersonating (403) */
export function refuseWhileImpersonating(): void {
  if (impersonationOf(currentRequest()?.token ?? null) !== null) throw new NotWhileImpersonating()
}
