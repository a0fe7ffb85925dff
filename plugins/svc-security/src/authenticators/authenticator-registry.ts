/** Authenticators by name: the built-in ones and those the application registers at module load. */
import type { FastifyInstance } from 'fastify'
import { Registry } from 'svc-kernel'
import type { SecurityConfig } from '../options.ts'
import { ANONYMOUS_NAME, AnonymousAuthenticator } from './anonymous-authenticator.ts'
import type { Authenticator } from './authenticator.ts'

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
  [ANONYMOUS_NAME, () => new AnonymousAuthenticator()]
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
