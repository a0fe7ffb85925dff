/** Whether tokens are bound to keys of their callers, `jwt.dpop`: the same rule where they are asked for and where they are shown. */
import type { FastifyRequest } from 'fastify'
import { DPOP_HEADER, type DpopProof, type DpopProofs, proofRefused } from './dpop-proofs.ts'

export class DpopPolicy {
  /** `null` where no token is bound: the header is then not looked at. */
  readonly proofs: DpopProofs | null
  /** Whether a token that is bound to no key is refused. */
  readonly required: boolean

  constructor(proofs: DpopProofs | null, required: boolean) {
    this.proofs = proofs
    this.required = required
  }

  /**
   * The proof that a request for tokens brings (RFC 9449, 5): give it to `tokens.issue` or `tokens.refresh`.
   *
   * @returns `null` where there is none and none is needed
   * @throws InvalidDpopProof, DpopNonceDue (400)
   */
  proofOf(request: FastifyRequest): DpopProof | null {
    if (this.proofs === null) return null
    if (request.headers[DPOP_HEADER] === undefined && !this.required) return null
    return this.proofs.of(request, null)
  }

  /** The key to bind tokens to. @throws InvalidDpopProof where they need one and there is none */
  keyOf(proof: DpopProof | null): string | null {
    if (proof === null && this.required) throw proofRefused('missing')
    return proof?.jkt ?? null
  }
}

/** No token is bound, and one that is does not hold. */
export const NO_DPOP = new DpopPolicy(null, false)
