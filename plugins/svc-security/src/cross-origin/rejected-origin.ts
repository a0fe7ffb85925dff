/**
 * Whether an answer to OPTIONS turned a page away (Fetch standard, "CORS-preflight fetch"):
 * a browser asked for a page of another origin, and no allowance came back. Pure.
 */

interface AskedWith {
  readonly origin?: string | undefined
  readonly 'access-control-request-method'?: string | undefined
}

/**
 * @param allowed `Access-Control-Allow-Origin` of the answer
 * @returns the origin of the page, or `null` for what is no preflight and for one that was allowed
 */
export function rejectedOrigin(headers: AskedWith, allowed: unknown): string | null {
  const { origin } = headers
  if (origin === undefined || headers['access-control-request-method'] === undefined) return null
  return allowed === '*' || allowed === origin ? null : origin
}
