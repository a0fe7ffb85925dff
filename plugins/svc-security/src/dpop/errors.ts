/** What is wrong with a proof of possession (RFC 9449). At a guarded route both are a 401 with a challenge that names them. */
import { expectedError } from 'svc-kernel/plugin'

/**
 * 400: the header `DPoP` has no valid proof for this request, its proof was used before, or `jwt.dpop` is `required` and
 * there is none. Fix: send a new proof of this method, URL and access token with each request.
 */
export const InvalidDpopProof = expectedError('SVC_SEC_DPOP_PROOF', 'INVALID_DPOP_PROOF', 400)

/** 400: the proof has no nonce of this server, or an old one. Fix: repeat it with the nonce of the header `DPoP-Nonce`. */
export const DpopNonceDue = expectedError('SVC_SEC_DPOP_NONCE', 'USE_DPOP_NONCE', 400)
