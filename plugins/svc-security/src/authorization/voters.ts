/**
 * Voters, in the order in which they are asked: the three of every application (roles with their hierarchy and scopes of
 * machine tokens, which never deny, and what a guard asks of the proof), those registered at module load, then
 * `parts.voters`.
 */
import type { FastifyInstance } from 'fastify'
import type { AccessToken, Clock, Problem } from 'svc-kernel'
import { isMachine, Registry } from 'svc-kernel/plugin'
import type { SecurityConfig } from '../options.ts'
import { buildPart } from './build-part.ts'
import { ProofVoter } from './proof-voter.ts'
import { RoleCycle, RoleHierarchy } from './role-hierarchy.ts'
import { roleReason, scopeReason } from './vote-reasons.ts'
import { type AccessVoter, type NamedVoter, Vote } from './voter.ts'

const ROLE_PREFIX = 'ROLE_'

/** Grants a `ROLE_` attribute where one of the user's roles is it or inherits it; else abstains. */
export class RoleVoter implements AccessVoter {
  readonly name = 'role'
  readonly #hierarchy: RoleHierarchy

  constructor(hierarchy: RoleHierarchy) {
    this.#hierarchy = hierarchy
  }

  supports(attribute: string): boolean {
    return attribute.startsWith(ROLE_PREFIX)
  }

  vote(token: AccessToken, attribute: string): Vote {
    if (attribute.length === ROLE_PREFIX.length) return Vote.ABSTAIN
    return this.#hierarchy.grants(token.user.roles, attribute) ? Vote.GRANT : Vote.ABSTAIN
  }

  explain(token: AccessToken, attribute: string, vote: Vote): string {
    return roleReason(token, attribute, vote, this.#hierarchy)
  }
}

/**
 * Grants an `api:action` attribute that is one of the token's own scopes. A person's token carries no scopes and is
 * never narrowed by them. Whose token it is, says its authenticator; one that does not say makes machines, but for the
 * token types of a person's own login, so a new kind is scoped from its first day.
 */
export class ScopeVoter implements AccessVoter {
  readonly name = 'scope'

  supports(attribute: string): boolean {
    return attribute.includes(':') && !attribute.startsWith(ROLE_PREFIX)
  }

  vote(token: AccessToken, attribute: string): Vote {
    if (!isMachine(token)) return Vote.GRANT
    return Array.isArray(token.scopes) && token.scopes.includes(attribute) ? Vote.GRANT : Vote.ABSTAIN
  }

  explain(token: AccessToken, attribute: string, vote: Vote): string {
    return scopeReason(token, attribute, vote)
  }
}

/**
 * Constructs a voter, once per application, at the end of boot. Only constructs:
 * costly look-ups stay lazy.
 *
 * `container` is the Fastify instance, `config` the frozen options of svc-security, `clock` that of `parts.clock`.
 */
export type VoterFactory = (parts: {
  readonly container: FastifyInstance
  readonly config: SecurityConfig
  readonly clock: Clock
}) => AccessVoter

export const voterRegistry = new Registry<VoterFactory>('voter', [
  ['role', ({ config }) => new RoleVoter(new RoleHierarchy(config.roleHierarchy))],
  ['scope', () => new ScopeVoter()],
  ['proof', ({ clock }) => new ProofVoter(clock)]
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

const METHODS = ['supports', 'vote']

export function buildVoters(
  { container, config, clock }: Parameters<VoterFactory>[0],
  given: readonly AccessVoter[],
  problems: Problem[]
): NamedVoter[] {
  const cycle = cycleProblem(config)
  if (cycle !== null) {
    problems.push(cycle)
    return []
  }
  const registered = voterRegistry.names().map((name) => {
    const factory = voterRegistry.get(name) as VoterFactory
    return buildPart('voter', name, METHODS, () => factory({ container, config, clock }), problems)
  })
  const supplied = given.map((voter, index) =>
    buildPart('voter', voter?.name ?? `parts.voters[${index}]`, METHODS, () => voter, problems)
  )
  return [...registered, ...supplied].filter((built) => built !== null).map(({ name, part }) => ({ name, voter: part }))
}

/** `null` where no role inherits itself. The end of boot reports it with everything else; until then nothing may build on it. */
export function cycleProblem({ roleHierarchy }: Pick<SecurityConfig, 'roleHierarchy'>): Problem | null {
  try {
    new RoleHierarchy(roleHierarchy)
    return null
  } catch (error) {
    if (!(error instanceof RoleCycle)) throw error
    return {
      code: 'SVC_SEC_ROLE_CYCLE',
      message: `the role hierarchy contains a cycle: ${error.message}`,
      at: `svc-security.roleHierarchy.${error.path[0] ?? ''}`,
      got: error.message,
      expected: 'roles that do not inherit themselves',
      fix: 'remove one of these roles from roleHierarchy',
      more: 'npx svc docs securing-routes'
    }
  }
}
