/** Constructs the authenticators that zones list, each once, and names the ones nobody knows. */
import type { FastifyInstance } from 'fastify'
import { nearestName, type Problem } from 'svc-kernel'
import { buildPart } from '../boot/build-parts.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import type { Authenticator, NamedAuthenticator } from './authenticators/authenticator.ts'
import { authenticatorRegistry } from './authenticators/authenticator-registry.ts'

const MORE = 'docs/guides/securing-routes.md'

const METHODS = ['supports', 'createToken', 'authenticate']

export function buildAuthenticators(
  container: FastifyInstance,
  config: SecurityConfig,
  given: NonNullable<SvcSecurityParts['authenticators']>,
  problems: Problem[]
): ReadonlyMap<string, NamedAuthenticator> {
  const supplied = new Map(Object.entries(given))
  for (const name of supplied.keys()) if (authenticatorRegistry.get(name) !== undefined) problems.push(taken(name))
  const built = new Map<string, NamedAuthenticator>()
  const known = [...authenticatorRegistry.names(), ...supplied.keys()]
  for (const [zone, { authenticators }] of Object.entries(config.areas)) {
    for (const [index, name] of authenticators.entries()) {
      if (built.has(name)) continue
      const factory = authenticatorRegistry.get(name)
      const make = factory === undefined ? supplied.get(name) : () => factory({ container, config })
      if (make === undefined) {
        problems.push(unknown(`svc-security.areas.${zone}.authenticators[${index}]`, name, known))
        continue
      }
      const part = buildPart<Authenticator>('authenticator', name, METHODS, asFactory(make), problems)
      if (part !== null) built.set(name, { name, authenticator: part.part })
    }
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
    expected: 'a name that is free',
    fix: 'give it another name',
    more: MORE
  }
}

function unknown(at: string, name: string, known: readonly string[]): Problem {
  const near = nearestName(name, known)
  return {
    code: 'SVC_SEC_UNKNOWN_AUTHENTICATOR',
    message: `no authenticator is named "${name}"${near === undefined ? '' : ` (did you mean ${near}?)`}`,
    at,
    got: JSON.stringify(name),
    expected: known.join(' | '),
    fix: near === undefined ? `registerAuthenticatorFactory('${name}', ...) at module load` : `write ${near}`,
    more: MORE
  }
}
