/** Security schemes of OpenAPI, and what a route asks of them, in the words of AsyncAPI 3. Pure. */

type Scheme = Readonly<Record<string, unknown>>

export interface AskedProofs {
  /** Security schemes by name, of which one is enough. */
  readonly names: readonly string[]
  /** What AsyncAPI cannot say. */
  readonly note: string | null
}

/** @param security of OpenAPI: alternatives, whose schemes are asked together */
export function askedProofs(security: readonly object[]): AskedProofs {
  const alternatives = security.map((proof) => Object.keys(proof))
  const together = alternatives.filter((names) => names.length > 1).map((names) => names.join(' and '))
  const single = alternatives.flatMap((names) => (names.length === 1 ? names : []))
  if (alternatives.some((names) => names.length === 0)) {
    return { names: [], note: `A proof may be absent; one is read by ${single.join(', ')}.` }
  }
  // A list of schemes means any of them.
  if (together.length > 0) return { names: [], note: `Asks for ${[...together, ...single].join(', or for ')}.` }
  return { names: single, note: null }
}

export function asyncSecuritySchemes(
  names: readonly string[],
  schemes: Readonly<Record<string, object>>
): Record<string, object> {
  const described = [...new Set(names)].sort().map((name) => [name, asyncScheme(schemes[name] as Scheme)])
  return Object.fromEntries(described)
}

function asyncScheme({ type, ...scheme }: Scheme): object {
  if (type === 'apiKey') return { type: 'httpApiKey', ...scheme }
  if (type === 'mutualTLS') return { type: 'X509', ...scheme }
  const { flows: given } = scheme as { readonly flows?: Readonly<Record<string, Scheme>> }
  if (given === undefined) return { type, ...scheme }
  const flows = Object.entries(given).map(([name, { scopes, ...flow }]) => [
    name,
    { ...flow, availableScopes: scopes ?? {} }
  ])
  return { type, ...scheme, flows: Object.fromEntries(flows) }
}
