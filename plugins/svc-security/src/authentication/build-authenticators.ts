/**
 * Authenticators by name: the built-in ones and those the application registers at module load. Those that zones list
 * are constructed once each at the end of boot; unknown names are reported.
 */
import type { FastifyInstance } from 'fastify'
import type { Clock, Problem } from 'svc-kernel'
import { nearestName, Registry } from 'svc-kernel/plugin'
import { buildPart } from '../authorization/build-part.ts'
import type { Impersonation } from '../impersonation/impersonation.ts'
import type { LoginService } from '../login/login-service.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import type { SessionService } from '../sessions/session-service.ts'
import type { TokenService } from '../tokens/token-service.ts'
import type { UserSource } from '../users/user-source.ts'
import {
  ANONYMOUS_NAME,
  AnonymousAuthenticator,
  type Authenticator,
  type NamedAuthenticator
} from './authenticators/authenticator.ts'
import {
  API_KEY_NAME,
  ApiKeyAuthenticator,
  JWT_NAME,
  JwtAuthenticator
} from './authenticators/bearer-authenticators.ts'
import { DpopAuthenticator } from './authenticators/dpop-authenticator.ts'
import { SESSION_NAME, SessionAuthenticator } from './authenticators/session-authenticator.ts'
import { USERPASSWORD_NAME, UserPasswordAuthenticator } from './authenticators/userpassword-authenticator.ts'

/**
 * Constructs an authenticator, once per application that lists it in a zone, at the end of boot.
 *
 * `container` is the Fastify instance, `config` the frozen options of svc-security.
 */
export type AuthenticatorFactory = (parts: {
  readonly container: FastifyInstance
  readonly config: SecurityConfig
}) => Authenticator

/** What the built-in authenticators work on. */
export interface AccountServices {
  readonly users: UserSource
  readonly sessions: SessionService
  readonly login: LoginService
  readonly tokens: TokenService
  readonly clock: Clock
  readonly impersonation: Impersonation
}

/** Those that load users: they exist where the application keeps accounts, and a zone that lists one of them keeps them. */
const OF_ACCOUNTS: Readonly<Record<string, (accounts: AccountServices, config: SecurityConfig) => Authenticator>> = {
  [SESSION_NAME]: ({ sessions, users, impersonation }, { session }) =>
    new SessionAuthenticator(sessions, users, impersonation, session.cookieName),
  [USERPASSWORD_NAME]: ({ users, login, clock }, { areas, passwords: { realm }, session: { absoluteTimeoutS } }) => {
    const zones = Object.entries(areas).filter(([, area]) => area.basicWithoutSecondFactor)
    const passwordOnly = new Set(zones.map(([name]) => name))
    return new UserPasswordAuthenticator({ users, login, passwordOnly, realm, clock, absoluteTimeoutS })
  },
  [JWT_NAME]: ({ tokens }, { jwt }) => signedTokens(tokens, jwt.schemes),
  [API_KEY_NAME]: ({ tokens }) => new ApiKeyAuthenticator(tokens)
}

function signedTokens(tokens: TokenService, schemes: readonly string[]): Authenticator {
  const { proofs, required } = tokens.dpop
  if (proofs === null) return new JwtAuthenticator(tokens, schemes)
  return new DpopAuthenticator(tokens, { proofs, required, schemes })
}

function builtIn(name: string, config: SecurityConfig, accounts: AccountServices | null) {
  if (name === ANONYMOUS_NAME) return () => new AnonymousAuthenticator()
  const make = OF_ACCOUNTS[name]
  return make === undefined || accounts === null ? undefined : () => make(accounts, config)
}

/** Whether an authenticator loads users of the application. A registered factory says it only when it has made one. */
export function needsAccounts(name: string, supplied: NonNullable<SvcSecurityParts['authenticators']>): boolean {
  if (Object.hasOwn(OF_ACCOUNTS, name)) return true
  return Object.hasOwn(supplied, name) && supplied[name]?.needs === 'accounts'
}

/** The built-in names are taken; what they stand for is made from the services of each application. */
export const authenticatorRegistry = new Registry<AuthenticatorFactory | 'built-in'>(
  'authenticator',
  [ANONYMOUS_NAME, ...Object.keys(OF_ACCOUNTS)].map((name) => [name, 'built-in'])
)

/**
 * Adds an authenticator that zones may list by name. Call it at module load.
 *
 * @throws DuplicateName (SVC_KERNEL_DUPLICATE_NAME) when the name is taken, by a built-in too;
 * RegistrySealed (SVC_KERNEL_REGISTRY_SEALED) once an application has booted.
 */
export function registerAuthenticatorFactory(name: string, factory: AuthenticatorFactory): void {
  authenticatorRegistry.register(name, factory)
}

const MORE = 'npx svc docs authenticators'

const METHODS = ['supports', 'createToken', 'authenticate']

export interface AuthenticatorsSetting {
  readonly config: SecurityConfig
  /** `parts.authenticators`. */
  readonly supplied: NonNullable<SvcSecurityParts['authenticators']>
  /** `null` where the application keeps no accounts. */
  readonly accounts: AccountServices | null
}

export function buildAuthenticators(
  container: FastifyInstance,
  { config, supplied, accounts }: AuthenticatorsSetting,
  problems: Problem[]
): ReadonlyMap<string, NamedAuthenticator> {
  for (const name of Object.keys(supplied)) {
    if (authenticatorRegistry.get(name) !== undefined) problems.push(taken(name))
  }
  const makerOf = (name: string): (() => Authenticator) | undefined => {
    const factory = authenticatorRegistry.get(name)
    if (factory === 'built-in') return builtIn(name, config, accounts)
    if (factory !== undefined) return () => factory({ container, config })
    const given = supplied[name]
    return given === undefined ? undefined : asFactory(given)
  }
  const built = new Map<string, NamedAuthenticator>()
  const known = [...authenticatorRegistry.names(), ...Object.keys(supplied)]
  for (const [zone, { authenticators }] of Object.entries(config.areas)) {
    for (const [index, name] of authenticators.entries()) {
      if (built.has(name)) continue
      const make = makerOf(name)
      if (make === undefined) {
        problems.push(unknown(`svc-security.areas.${zone}.authenticators[${index}]`, name, known))
        continue
      }
      const part = buildPart<Authenticator>('authenticator', name, METHODS, make, problems)
      if (part !== null) built.set(name, { name, authenticator: part.part })
    }
  }
  if (accounts === null) {
    const missing = [...built.values()].filter(({ authenticator: { needs } }) => needs === 'accounts')
    problems.push(...missing.map(({ name }) => withoutAccounts(name)))
  }
  return built
}

function asFactory(make: Authenticator | (() => Authenticator)): () => Authenticator {
  return typeof make === 'function' ? make : () => make
}

function taken(name: string): Problem {
  return {
    code: 'SVC_SEC_AUTHENTICATOR_TAKEN',
    message: `an authenticator named "${name}" is registered already`,
    at: `svc-security.parts.authenticators.${name}`,
    got: JSON.stringify(name),
    expected: 'an unused name',
    fix: 'give it another name',
    more: MORE
  }
}

function withoutAccounts(name: string): Problem {
  return {
    code: 'SVC_SEC_ACCOUNTS_OFF',
    message: `the authenticator "${name}" needs accounts, and the application has none`,
    at: `authenticator ${name}`,
    got: "needs: 'accounts'",
    expected: 'users',
    fix: 'add users: {} to the options of svc-security, or set parts.users',
    more: 'npx svc docs accounts'
  }
}

function unknown(at: string, name: string, known: readonly string[]): Problem {
  const near = nearestName(name, known)
  return {
    code: 'SVC_SEC_UNKNOWN_AUTHENTICATOR',
    message: `there is no authenticator "${name}"${near === undefined ? '' : ` (did you mean ${near}?)`}`,
    at,
    got: JSON.stringify(name),
    expected: known.join(' | '),
    fix: near === undefined ? `registerAuthenticatorFactory('${name}', ...) at module load` : `write ${near}`,
    more: MORE
  }
}
