/** Authenticators by name: the built-in ones and those the application registers at module load. */
import type { FastifyInstance } from 'fastify'
import { Registry } from 'svc-kernel'
import { servicesOf } from '../../boot/security-services.ts'
import type { SecurityConfig } from '../../options.ts'
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

export const authenticatorRegistry = new Registry<AuthenticatorFactory>('authenticator', [
  [ANONYMOUS_NAME, () => new AnonymousAuthenticator()],
  [
    SESSION_NAME,
    ({ container }) => {
      const { sessions, users } = servicesOf(container)
      return new SessionAuthenticator(sessions, users)
    }
  ],
  [
    USERPASSWORD_NAME,
    ({ container, config: { areas, passwords } }) => {
      const { login, factors } = servicesOf(container)
      const alone = Object.entries(areas).filter(([, area]) => area.basicWithoutSecondFactor)
      const passwordAlone = new Set(alone.map(([name]) => name))
      return new UserPasswordAuthenticator({ login, factors, passwordAlone, realm: passwords.realm })
    }
  ],
  [JWT_NAME, ({ container }) => new JwtAuthenticator(container.tokens)],
  [API_KEY_NAME, ({ container }) => new ApiKeyAuthenticator(container.tokens)]
])

/**
 * Adds an authenticator that zones may list by name. Call it at module load.
 *
 * @throws DuplicateName (SVC_KERNEL_DUPLICATE_NAME) when the name is taken, by a built-in too;
 * RegistrySealed (SVC_KERNEL_REGISTRY_SEALED) once an application has booted.
 */
export function registerAuthenticatorFactory(name: string, factory: AuthenticatorFactory): void {
  authenticatorRegistry.register(name, factory)
}
