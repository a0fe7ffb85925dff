/** The challenge of proofs of possession. Apart from what verifies them, which an application without such tokens does not load. */

/** Signs proofs: `EdDSA` with Ed25519, `ES256` with P-256. */
export const DPOP_ALGORITHMS = Object.freeze(['ES256', 'EdDSA'] as const)

/** A challenge (RFC 9449, 7.1). @param error `invalid_dpop_proof`, `use_dpop_nonce`; none where there was no credential */
export function dpopChallenge(error?: string): string {
  const cause = error === undefined ? '' : `error="${error}", `
  return `DPoP ${cause}algs="${DPOP_ALGORITHMS.join(' ')}"`
}
