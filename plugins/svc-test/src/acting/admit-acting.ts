/** Puts the authenticator of tests into the options of svc-security: first in every zone that asks for one proof. Pure. */
import { ACTING, type ActingAuthenticator } from './acting-as.ts'

/** The options of svc-security, as far as they matter here. */
export interface SecurityOptions {
  readonly parts?: {
    readonly authenticators?: Readonly<Record<string, unknown>>
    readonly [part: string]: unknown
  }
  readonly [option: string]: unknown
}

export function admitActing(options: SecurityOptions, acting: ActingAuthenticator): SecurityOptions {
  const { parts = {} } = options
  const authenticators = { ...parts.authenticators, [ACTING]: acting }
  return { ...options, parts: { ...parts, authenticators, inEveryZone: [ACTING] } }
}
