/** What the guard needs to be told: the settings of an operator, and a way to resolve names. */

export interface SsrfPolicy {
  /** Permits `http:` beside `https:`. */
  readonly allowHttp: boolean
  /** False skips the check of addresses; scheme and credentials are still checked. Development only. */
  readonly denyPrivateIps: boolean
  /** Internal networks that are open all the same, such as `10.20.0.0/16`. Never link-local or cloud metadata. */
  readonly allowCidrs: readonly string[]
}

export interface ResolvedAddress {
  readonly address: string
  /** 4 or 6. Not trusted: the address itself decides. */
  readonly family: number
}

/** All addresses of a name. Rejects with the error of `node:dns`, whose `code` tells a missing name from a failure. */
export type Lookup = (host: string) => Promise<readonly ResolvedAddress[]>
