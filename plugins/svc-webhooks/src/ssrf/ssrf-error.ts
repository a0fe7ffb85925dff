/**
 * The refusal of a URL. Its text depends on the reason only and names neither host nor address, so that it cannot be
 * used as a probe.
 */
import { UrlRefused } from '../errors.ts'

const NOT_PUBLIC =
  'the host does not resolve to public addresses only: see webhooks.denyPrivateIps, webhooks.allowCidrs'

/** Why a URL is refused, and what a caller reads. Internal and missing hosts read the same. */
const TEXTS = {
  url: 'the URL is malformed',
  scheme: 'the scheme is not allowed: use https, or http with webhooks.allowHttp',
  credentials: 'the URL contains credentials',
  address: NOT_PUBLIC,
  unresolvable: NOT_PUBLIC,
  resolver: 'the host cannot be resolved at the moment'
} as const

/**
 * `address`: one of the addresses is internal. `unresolvable`: there is no such name. `resolver`: the resolver failed
 * for the moment, another attempt may pass; the other reasons are final.
 */
export type SsrfReason = keyof typeof TEXTS

/** 422: the URL of an endpoint is refused, at registration or before a delivery. */
export class SsrfError extends UrlRefused {
  readonly reason: SsrfReason

  constructor(reason: SsrfReason) {
    super(TEXTS[reason])
    this.name = 'SsrfError'
    this.reason = reason
  }
}
