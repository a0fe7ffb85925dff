/** Voters by name: the built-in ones, then those the application registers at module load, in that order. */
import type { FastifyInstance } from 'fastify'
import { Registry } from 'svc-kernel'
import type { SecurityConfig } from '../options.ts'
import { RoleVoter, ScopeVoter } from './built-in-voters.ts'
import { RoleHierarchy } from './role-hierarchy.ts'
import type { AccessVoter } from './voter.ts'

/**
 * Constructs a voter, once per application, at the end of boot. Only constructs:
 * costly look-ups stay lazy.
 *
 * `container` is the Fastify instance, `config` the frozen options of svc-security.
 */
export type VoterFactory = (parts: {
  readonly container: FastifyInstance
  readonly config: SecurityConfig
}) => AccessVoter

export const voterRegistry = new Registry<VoterFactory>('voter', [
  ['role', ({ config }) => new RoleVoter(new RoleHierarchy(config.roleHierarchy))],
  ['scope', () => new ScopeVoter()]
])

/**
 * Adds a voter to every application booted from now on. Call it at module load.
 *
 * @throws DuplicateName (SVC_KERNEL_DUPLICATE_NAME) when the name is taken, by a built-in too;
 * RegistrySealed (SVC_KERNEL_REGISTRY_SEALED) once an application has booted.
 */
export function registerVoterFactory(name: string, factory: VoterFactory): void {
  voterRegistry.register(name, factory)
}
