/** Authenticators by name: the built-in ones and those the application registers at module load. */
import type { FastifyInstance } from 'fastify'
import { Registry } from 'svc-kernel'
import type { LoginService } from '../../login/login-service.ts'
import type { SecurityConfig } from '../../options.ts'
import type { SessionService } from '../../sessions/session-service.ts'
import type { TokenService } from '../../tokens/token-service.ts'
import type { UserSource } from '../../users/user-source.ts'
import { ANONYMOUS_NAME, AnonymousAuthenticator } from './anonymous-authenticator.ts'
import type { Authenticator } from './authenticator.ts'
import { API_KEY_NAME, ApiKeyAuthenticator, JWT_NAME, JwtAuthenticator } from './bearer-authenticators.ts'
import { SESSION_NAME, SessionAuthenticator } from './session-authenticator.ts'
import { USERPASSWORD_NAME, UserPasswordAuthenticator } from './userpassword-authenticator.ts'

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
}

/** Those of accounts exist where the application keeps accounts; a zone that lists one of them keeps them. */
export function builtInAuthenticators(
  { areas, jwt: { schemes }, passwords: { realm } }: SecurityConfig,
  accounts: AccountServices | null
): Readonly<Record<string, () => Authenticator>> {
  const anonymous = { [ANONYMOUS_NAME]: () => new AnonymousAuthenticator() }
  if (accounts === null) return anonymous
  const { users, sessions, login, tokens } = accounts
  const zones = Object.entries(areas).filter(([, area]) => area.basicWithoutSecondFactor)
  const passwordOnly = new Set(zones.map(([name]) => name))
  return {
    ...anonymous,
    [SESSION_NAME]: () => new SessionAuthenticator(sessions, users),
    [USERPASSWORD_NAME]: () => new UserPasswordAuthenticator({ login, passwordOnly, realm }),
    [JWT_NAME]: () => new JwtAuthenticator(tokens, schemes),
    [API_KEY_NAME]: () => new ApiKeyAuthenticator(tokens)
  }
}

const BUILT_IN = [ANONYMOUS_NAME, SESSION_NAME, USERPASSWORD_NAME, JWT_NAME, API_KEY_NAME]

/** The built-in names are taken; what they stand for is made from the services of each application. */
export const authenticatorRegistry = new Registry<AuthenticatorFactory | 'built-in'>(
  'authenticator',
  BUILT_IN.map((name) => [name, 'built-in'])
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
