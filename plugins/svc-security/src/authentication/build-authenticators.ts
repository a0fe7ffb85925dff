/** Constructs the authenticators that zones list, each once, and reports unknown names. */
import type { FastifyInstance } from 'fastify'
import { nearestName, type Problem } from 'svc-kernel'
import { buildPart } from '../authorization/build-part.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import type { Authenticator, NamedAuthenticator } from './authenticators/authenticator.ts'
import {
  type AccountServices,
  authenticatorRegistry,
  builtInAuthenticators
} from './authenticators/authenticator-registry.ts'

const MORE = 'npx svc-cli docs securing-routes'

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
  const builtIn = builtInAuthenticators(config, accounts)
  const makerOf = (name: string): (() => Authenticator) | undefined => {
    const factory = authenticatorRegistry.get(name)
    if (factory === 'built-in') return builtIn[name]
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
