/** What a production application with accounts should know about its setting: warnings and a note; it still boots. Pure. */
import type { Problem } from 'svc-kernel'
import type { SecurityConfig } from '../options.ts'

const MORE = 'docs/guides/logging-in.md'

/** No fault of one instance, which is what cannot be seen from here: an information, not a warning. */
export const LOCAL_THROTTLE: Problem = {
  code: 'SVC_SEC_THROTTLE_LOCAL',
  message: 'login attempts are counted by each instance for itself, and forgotten at a restart',
  at: 'svc-security.parts.attempts',
  fix: 'with more than one instance, give it a limiter of rate-limiter-flexible',
  more: MORE
}

export function accountLints({ rateLimit, csrf }: Pick<SecurityConfig, 'rateLimit' | 'csrf'>): Problem[] {
  const lints: Problem[] = []
  if (!rateLimit.enabled) {
    lints.push({
      code: 'SVC_SEC_NO_THROTTLE',
      message: 'guessing at passwords and codes is not slowed down',
      at: 'svc-security.rateLimit.enabled',
      fix: 'leave it on',
      more: MORE
    })
  }
  if (!csrf.enabled) {
    lints.push({
      code: 'SVC_SEC_NO_CSRF',
      message: 'any page can make a browser change something with its session',
      at: 'svc-security.csrf.enabled',
      fix: 'leave it on, and list the pages that may in csrf.trustedOrigins',
      more: MORE
    })
  }
  return lints
}
