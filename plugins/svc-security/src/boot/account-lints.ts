/** What a production application with accounts should know about its setting. Warnings: it still boots. Pure. */
import type { Problem } from 'svc-kernel'
import type { SecurityConfig } from '../options.ts'

const MORE = 'docs/guides/logging-in.md'

/** @param shared whether login attempts are counted for several instances */
export function accountLints(
  { rateLimit, csrf }: Pick<SecurityConfig, 'rateLimit' | 'csrf'>,
  shared: boolean
): Problem[] {
  const lints: Problem[] = []
  if (!rateLimit.enabled) {
    lints.push({
      code: 'SVC_SEC_NO_THROTTLE',
      message: 'guessing at passwords and codes is not slowed down',
      at: 'svc-security.rateLimit.enabled',
      fix: 'leave it on',
      more: MORE
    })
  } else if (!shared) {
    lints.push({
      code: 'SVC_SEC_THROTTLE_LOCAL',
      message: 'login attempts are counted by each instance for itself, and forgotten at a restart',
      at: 'svc-security.parts.attempts',
      fix: 'with more than one instance, give it a limiter of rate-limiter-flexible',
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
