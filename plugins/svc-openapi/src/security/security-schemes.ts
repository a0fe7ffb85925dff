/** How each authenticator's credential is carried, as OpenAPI security schemes: as the authenticator says. Pure. */
import type { ProofKind } from 'svc-kernel/plugin'
import type { SecurityScheme } from '../options.ts'

/** What an authenticator says of its proofs. */
export interface DescribedProof {
  readonly proof: ProofKind
  readonly openapi: SecurityScheme | null
}

/**
 * @param names authenticators that routes name
 * @param given schemes of the application; they win over what authenticators say
 */
export function securitySchemes(
  names: Iterable<string>,
  given: Readonly<Record<string, SecurityScheme>>,
  proofOf: (authenticator: string) => DescribedProof | null
): Record<string, SecurityScheme> {
  const described = (name: string) =>
    // An authenticator may be called `constructor`.
    (Object.hasOwn(given, name) ? given[name] : undefined) ?? proofOf(name)?.openapi ?? undescribed(name, proofOf(name))
  return Object.fromEntries([...new Set(names)].sort().map((name) => [name, described(name) as SecurityScheme]))
}

/** Only the authenticator knows what it reads: its carrier is what can be said, and the description says what is left. */
function undescribed(name: string, said: DescribedProof | null): SecurityScheme {
  const description = `Read by the authenticator "${name}", which gives no description.`
  const carrier = said?.proof.carrier
  if (carrier === 'connection') return { type: 'mutualTLS', description }
  if (carrier === 'cookie') return { type: 'apiKey', in: 'cookie', name, description }
  return { type: 'apiKey', in: 'header', name: carrier === 'header' ? name : 'Authorization', description }
}
