/** Constructs the voters in the order in which they are asked: built-in, registered, then `parts.voters`. */
import type { FastifyInstance } from 'fastify'
import type { Problem } from 'svc-kernel'
import type { SecurityConfig } from '../options.ts'
import { buildPart } from './build-part.ts'
import { RoleCycle, RoleHierarchy } from './role-hierarchy.ts'
import type { AccessVoter, NamedVoter } from './voter.ts'
import { type VoterFactory, voterRegistry } from './voter-registry.ts'

const METHODS = ['supports', 'vote']

export function buildVoters(
  container: FastifyInstance,
  config: SecurityConfig,
  given: readonly AccessVoter[],
  problems: Problem[]
): NamedVoter[] {
  if (cycleIn(config, problems)) return []
  const registered = voterRegistry.names().map((name) => {
    const factory = voterRegistry.get(name) as VoterFactory
    return buildPart('voter', name, METHODS, () => factory({ container, config }), problems)
  })
  const supplied = given.map((voter, index) =>
    buildPart('voter', voter?.name ?? `parts.voters[${index}]`, METHODS, () => voter, problems)
  )
  return [...registered, ...supplied].filter((built) => built !== null).map(({ name, part }) => ({ name, voter: part }))
}

function cycleIn(config: SecurityConfig, problems: Problem[]): boolean {
  try {
    new RoleHierarchy(config.roleHierarchy)
    return false
  } catch (error) {
    if (!(error instanceof RoleCycle)) throw error
    problems.push({
      code: 'SVC_SEC_ROLE_CYCLE',
      message: `the role hierarchy loops: ${error.message}`,
      at: `svc-security.roleHierarchy.${error.path[0] ?? ''}`,
      got: error.message,
      expected: 'roles that do not inherit themselves',
      fix: 'take one of these roles out of what it inherits',
      more: 'npx svc-cli docs securing-routes'
    })
    return true
  }
}
