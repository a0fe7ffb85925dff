/** Options that do nothing, or take a protection away in production. Warnings: the application still boots. Pure. */
import type { Problem } from 'svc-kernel'
import type { SecurityConfig, SvcSecurityOptions } from '../options.ts'
import type { TokensInUse } from './features-in-use.ts'

export interface SectionUse extends TokensInUse {
  readonly accounts: boolean
  /** Users are loaded by `parts.users`. */
  readonly ownUsers: boolean
}

/** @param given the options before their defaults */
export function sectionLints(given: SvcSecurityOptions, use: SectionUse): Problem[] {
  const lints: Problem[] = []
  if (given.tokenStore !== undefined && !use.signed && !use.keyed) {
    const fix = "list 'jwt' or 'apikey' in a zone, or remove tokenStore"
    lints.push(unused('tokenStore', 'the application takes neither signed tokens nor API keys', fix))
  }
  if (given.idempotency !== undefined && !use.accounts) {
    const fix = "list 'session' in a zone, or remove idempotency"
    lints.push(unused('idempotency', 'without accounts no caller has keys of its own', fix))
  }
  if (given.users !== undefined && use.ownUsers) {
    lints.push(unused('users', 'parts.users loads the users', 'remove one of the two'))
  } else if (given.users?.store !== undefined && given.users.entity !== undefined) {
    lints.push(unused('users.store', 'users.entity loads the users', 'remove one of the two'))
  }
  for (const [name, { authenticators, basicWithoutSecondFactor }] of Object.entries(given.areas ?? {})) {
    if (basicWithoutSecondFactor !== true || authenticators.includes('userpassword')) continue
    const fix = "list 'userpassword' in the zone, or remove it"
    lints.push(unused(`areas.${name}.basicWithoutSecondFactor`, 'the zone takes no HTTP Basic', fix))
  }
  return lints
}

function unused(section: string, why: string, fix: string): Problem {
  return {
    code: 'SVC_SEC_SECTION_UNUSED',
    message: `${section} has no effect: ${why}`,
    at: `svc-security.${section}`,
    fix,
    more: 'npx svc-cli docs options'
  }
}

/** Of a production application with accounts. */
export function csrfLints({ enabled }: SecurityConfig['csrf']): Problem[] {
  if (enabled) return []
  return [
    {
      code: 'SVC_SEC_NO_CSRF',
      message: 'any page can make a browser change something with its session',
      at: 'svc-security.csrf.enabled',
      fix: 'leave it on, and list the pages that may in csrf.trustedOrigins',
      more: 'npx svc-cli docs logging-in'
    }
  ]
}
