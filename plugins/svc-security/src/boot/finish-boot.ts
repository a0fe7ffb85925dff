/**
 * The end of boot, when every route and every factory is known: builds what the
 * options name, refuses with all problems together, then warns about what will
 * only ever refuse. Decisions and requests are served from here on.
 */
import type { FastifyInstance } from 'fastify'
import { type AccessToken, BootError, type Clock, type Problem, warnAtBoot } from 'svc-kernel'
import { describeRequirement } from 'svc-kernel/plugin'
import { carrierWarnings } from '../authentication/authenticator-warnings.ts'
import type { NamedAuthenticator } from '../authentication/authenticators/authenticator.ts'
import {
  type AccountServices,
  authenticatorRegistry,
  buildAuthenticators
} from '../authentication/build-authenticators.ts'
import type { Firewall } from '../authentication/firewall.ts'
import { jobLints } from '../authentication/job-identities.ts'
import { RealtimeIdentities } from '../authentication/realtime-identities.ts'
import { revalidationOfOthers, socketLints } from '../authentication/socket-identities.ts'
import { ZoneAuthentication } from '../authentication/zone-authentication.ts'
import { zoneWarnings } from '../authentication/zone-warnings.ts'
import { isBuiltIn } from '../authentication/zones/zone-map.ts'
import { AccessDecisionManager } from '../authorization/access-decision-manager.ts'
import { FactorPolicy } from '../authorization/factor-policy.ts'
import type { Jury } from '../authorization/jury.ts'
import { RoleHierarchy } from '../authorization/role-hierarchy.ts'
import { buildVoters } from '../authorization/voters.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import { factorLints, guardLints } from './configuration-warnings.ts'

export interface BootParts {
  readonly config: SecurityConfig
  readonly parts: SvcSecurityParts
  readonly clock: Clock
  readonly firewall: Firewall
  readonly jury: Jury
  readonly journal: SecurityJournal
  /** `null` where the application keeps no accounts. */
  readonly accounts: AccountServices | null
}

/** @throws BootError with every problem: unknown names, factories that fail, a role cycle */
export function finishBoot(fastify: FastifyInstance, boot: BootParts): void {
  const { config, parts, clock, firewall, jury, journal, accounts } = boot
  const problems: Problem[] = []
  const authenticators = buildAuthenticators(
    fastify,
    { config, supplied: parts.authenticators ?? {}, accounts },
    problems
  )
  const own = firewall.added.map(({ name, authenticator }) => [name, { name, authenticator }] as const)
  const named: ReadonlyMap<string, NamedAuthenticator> = new Map([...authenticators, ...own])
  const voters = buildVoters({ container: fastify, config, clock }, [...jury.added, ...(parts.voters ?? [])], problems)
  if (problems.length > 0) throw new BootError(problems)
  const timeoutMs = config.authenticatorTimeoutMs
  const revalidationOf = revalidationOfOthers({ accounts, clock, log: fastify.log })
  const authentications = firewall.zones.map((zone) => {
    const chain = zone.authenticators.map((name) => named.get(name) as NamedAuthenticator)
    return new ZoneAuthentication(zone, chain, { journal, clock, timeoutMs, revalidationOf })
  })
  const windowMs = config.realtime.revalidateWindowMs
  const realtime = authentications.map((authentication) => {
    const revalidationsOf = authentication.revalidationsOf.bind(authentication)
    const lacksFactor = (token: AccessToken) => firewall.missingFactor(authentication.zone, token) !== null
    return new RealtimeIdentities({ clock, windowMs, timeoutMs, journal, lacksFactor, revalidationsOf })
  })
  firewall.open(authentications, realtime, new FactorPolicy(config, new RoleHierarchy(config.roleHierarchy)))
  jury.use(new AccessDecisionManager(voters, config.jury.voterTimeoutMs, clock))
  report(fastify, boot, named)
}

/** Where Fastify keeps the options that it was made with; it has no public way to read this one. */
function proxyLints(fastify: FastifyInstance): Problem[] {
  for (let place: object | null = fastify; place !== null; place = Object.getPrototypeOf(place) as object | null) {
    const slot = Object.getOwnPropertySymbols(place).find(({ description }) => description === 'fastify.options')
    if (slot === undefined) continue
    const { trustProxy } = (place as Record<symbol, { trustProxy?: unknown } | undefined>)[slot] ?? {}
    return trustProxy === true ? [everyProxy] : []
  }
  return []
}

const everyProxy: Problem = {
  code: 'SVC_SEC_TRUST_PROXY',
  message:
    'trustProxy: true trusts X-Forwarded-For of every caller: callers choose the address that throttling and audit record',
  at: 'trustProxy',
  got: 'true',
  expected: 'the addresses of your proxies',
  fix: "trustProxy: '10.0.0.0/8', with the addresses of your proxies",
  more: 'npx svc docs running-in-production'
}

function report(
  fastify: FastifyInstance,
  { config, firewall, jury, accounts }: BootParts,
  authenticators: ReadonlyMap<string, NamedAuthenticator>
): void {
  const routes = firewall.report()
  const roles = new RoleHierarchy(config.roleHierarchy).roles
  const ofPlugins = new Set(firewall.added.map(({ name }) => name))
  const ownAuthenticators = [...authenticators.keys()].some(
    (name) => authenticatorRegistry.get(name) !== 'built-in' && !ofPlugins.has(name)
  )
  const warnings = [
    ...zoneWarnings(firewall.zones.filter((zone) => !isBuiltIn(zone))),
    ...guardLints(routes, jury.voters, roles),
    ...factorLints(config, routes, ownAuthenticators),
    ...carrierWarnings(authenticators.values()),
    ...proxyLints(fastify),
    ...socketLints(firewall.zones, routes, authenticators, accounts?.users ?? null),
    ...jobLints(routes, accounts?.users ?? null)
  ]
  for (const problem of warnings) warnAtBoot(fastify, problem)
  if (!fastify.hasDecorator('audit'))
    fastify.log.debug('svc-audit is not registered: denials are logged, but not recorded in an audit journal')
  for (const { requirement, ...route } of routes) {
    fastify.log.debug({ ...route, requirement: requirement && describeRequirement(requirement) }, 'route')
  }
}
