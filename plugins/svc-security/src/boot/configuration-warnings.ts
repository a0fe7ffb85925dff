/**
 * What the boot warns about; the application still boots, fail-closed. Options that do nothing, or take a protection away
 * in production; guards that can only refuse, outside every zone or on an attribute no voter answers for, and one that
 * HEAD walks around. Pure.
 */
import type { Problem } from 'svc-kernel'
import type { AttributeCheck } from 'svc-kernel/plugin'
import { nearestName, proofDemandOf } from 'svc-kernel/plugin'
import { USERPASSWORD_NAME } from '../authentication/authenticators/userpassword-authenticator.ts'
import type { RouteReport } from '../authentication/firewall.ts'
import type { NamedVoter } from '../authorization/voter.ts'
import type { SecurityConfig, SvcSecurityOptions } from '../options.ts'
import type { TokensInUse } from './features-in-use.ts'

export interface SectionUse extends TokensInUse {
  readonly accounts: boolean
  /** Users are loaded by `parts.users`. */
  readonly ownUsers: boolean
}

/** @param given the options before their defaults */
export function sectionWarnings(given: SvcSecurityOptions, use: SectionUse): Problem[] {
  const warnings: Problem[] = []
  if (given.tokenStore !== undefined && !use.signed && !use.keyed) {
    const fix = "list 'jwt' or 'apikey' in a zone, or remove tokenStore"
    warnings.push(unused('tokenStore', 'the application uses neither signed tokens nor API keys', fix))
  }
  if (given.idempotency !== undefined && !use.accounts) {
    const fix = "list 'session' in a zone, or remove idempotency"
    warnings.push(unused('idempotency', 'the application has no accounts', fix))
  }
  if (given.users !== undefined && use.ownUsers) {
    warnings.push(unused('users', 'parts.users loads the users', 'remove one of the two'))
  } else if (given.users?.store !== undefined && given.users.entity !== undefined) {
    warnings.push(unused('users.store', 'users.entity loads the users', 'remove one of the two'))
  }
  for (const [name, { authenticators, basicWithoutSecondFactor }] of Object.entries(given.areas ?? {})) {
    if (basicWithoutSecondFactor !== true || authenticators.includes(USERPASSWORD_NAME)) continue
    const fix = `list '${USERPASSWORD_NAME}' in the zone, or remove it`
    warnings.push(unused(`areas.${name}.basicWithoutSecondFactor`, 'the zone does not list userpassword', fix))
  }
  return warnings
}

/** Factors that guards, areas or roles ask for, and no login of the application can show. */
export function factorLints(
  { areas, requireFactor, totp, passkeys, oauth2 }: SecurityConfig,
  routes: readonly RouteReport[],
  ownAuthenticators: boolean
): Problem[] {
  const federated = Object.values(oauth2?.providers ?? {}).some(({ secondFactor }) => secondFactor.length > 0)
  const shown = { totp: totp !== undefined, passkey: passkeys !== undefined }
  const can = { ...shown, any: shown.totp || shown.passkey || federated }
  const guards = routes.flatMap(({ requirement, source, method, path }) =>
    (requirement ?? []).flat().map(({ attribute }) => {
      return { factor: proofDemandOf(attribute)?.factor, at: source ?? `${method} ${path}` }
    })
  )
  const settings = [
    ...Object.entries(areas).map(([name, area]) => ({ factor: area.requireFactor, at: `areas.${name}.requireFactor` })),
    ...Object.entries(requireFactor).map(([role, factor]) => ({ factor, at: `requireFactor.${role}` }))
  ].map(({ factor, at }) => ({ factor, at: `svc-security.${at}` }))
  // An authenticator of the application may bring any factor.
  return (ownAuthenticators ? [] : [...settings, ...guards])
    .filter(({ factor }) => factor != null && !can[factor])
    .map(({ factor, at }) => ({
      code: 'SVC_SEC_FACTOR_OFF',
      message: `a login cannot show the factor "${factor}" that is asked for, so every one is refused`,
      at,
      fix: `add the section ${factor === 'passkey' ? 'passkeys' : 'totp'} to svc-security`,
      more: 'npx svc docs step-up'
    }))
}

function unused(section: string, why: string, fix: string): Problem {
  return {
    code: 'SVC_SEC_SECTION_UNUSED',
    message: `${section} has no effect: ${why}`,
    at: `svc-security.${section}`,
    fix,
    more: 'npx svc docs options'
  }
}

/** Of a production application with accounts. */
export function csrfLints({ enabled }: SecurityConfig['csrf']): Problem[] {
  if (enabled) return []
  return [
    {
      code: 'SVC_SEC_NO_CSRF',
      message: 'pages of any origin can make changes with the session of a browser',
      at: 'svc-security.csrf.enabled',
      fix: 'remove csrf.enabled, and list trusted pages in csrf.trustedOrigins',
      more: 'npx svc docs logging-in'
    }
  ]
}

export function guardLints(
  routes: readonly RouteReport[],
  voters: readonly NamedVoter[],
  roles: readonly string[]
): Problem[] {
  return [...routes.flatMap(zoneless), ...headless(routes), ...voterless(routes, voters, roles)]
}

/** Fastify gives each GET a HEAD with the same guard; one that is declared by itself has only what it declares. */
function headless(routes: readonly RouteReport[]): Problem[] {
  const guarded = new Set(
    routes.filter(({ method, requirement }) => method === 'GET' && requirement !== null).map(({ path }) => path)
  )
  return routes
    .filter(({ method, path, requirement }) => method === 'HEAD' && requirement === null && guarded.has(path))
    .map(({ path, source }) => ({
      code: 'SVC_GUARD_HEAD',
      message: `GET ${path} is guarded, but HEAD ${path} is not: it answers every caller`,
      ...(source === null ? {} : { at: source }),
      fix: 'guard HEAD too, or remove it: a GET route answers HEAD itself',
      more: 'npx svc docs securing-routes'
    }))
}

/** No zone, no identity: the guard refuses every caller. */
function zoneless({ method, path, zone, byPath, requirement, anonymous, source }: RouteReport): Problem[] {
  if (requirement === null || zone !== null || anonymous) return []
  return [
    {
      code: 'SVC_GUARD_NO_ZONE',
      message: byPath
        ? `${method} ${path} is guarded but no area matches its template; calls outside every area will be 403`
        : `${method} ${path} is guarded but no area matches; every call will be 403`,
      ...(source === null ? {} : { at: source }),
      fix: 'add an area whose pattern matches it',
      more: 'npx svc docs zones'
    }
  ]
}

function voterless(routes: readonly RouteReport[], voters: readonly NamedVoter[], roles: readonly string[]): Problem[] {
  const asked = new Map<string, { check: AttributeCheck; route: RouteReport }>()
  for (const route of routes) {
    for (const check of route.requirement?.flat() ?? []) {
      if (!asked.has(check.attribute)) asked.set(check.attribute, { check, route })
    }
  }
  const answered = [...asked.keys()].filter((name) => voters.some((named) => answers(named, asked.get(name)?.check)))
  return [...asked]
    .filter(([name]) => !answered.includes(name))
    .map(([name, { route }]) => {
      const near = nearestName(name, [...roles, ...answered]) ?? asRole(name)
      return {
        code: 'SVC_NO_VOTER',
        message: `no voter supports "${name}"${near === undefined ? '' : ` (did you mean ${near}?)`}`,
        at: route.source ?? `${route.method} ${route.path}`,
        fix: near === undefined ? `registerVoterFactory with a voter that supports "${name}"` : `write ${near}`,
        more: 'npx svc docs voters'
      }
    })
}

/** A voter that cannot say without a real subject is given the benefit of the doubt. */
function answers({ voter }: NamedVoter, check: AttributeCheck | undefined): boolean {
  if (check === undefined) return false
  try {
    return Boolean(voter.supports(check.attribute, check.subject === undefined ? undefined : `:${check.subject}`))
  } catch {
    return true
  }
}

/** `ROL_ADMIN` was meant to be `ROLE_ADMIN`, whether or not the hierarchy knows that role. */
function asRole(name: string): string | undefined {
  const [word = '', ...rest] = name.split('_')
  return rest.length > 0 && nearestName(word, ['ROLE']) ? `ROLE_${rest.join('_').toUpperCase()}` : undefined
}
