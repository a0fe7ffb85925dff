/**
 * The way of a delivery over the network, as the dispatcher sees it: one
 * request, one result, within one deadline.
 */
import type { Clock } from 'svc-kernel'
import type { Lookup, SsrfPolicy } from '../ssrf/ssrf-policy.ts'
import type { AttemptResult, DeliveryRequest } from './attempt-result.ts'

export type { AttemptResult, DeliveryRequest } from './attempt-result.ts'

export interface Transport {
  /**
   * Never rejects. Resolves at the latest `deadlineMs` after the call, whatever the receiver does: name, connection,
   * headers and body together. What is not over by then is destroyed.
   */
  send(request: DeliveryRequest, deadlineMs: number): Promise<AttemptResult>
  /** Ends idle connections and destroys those in use, whose attempts fail with `closed`. */
  close(): Promise<void>
}

export interface TransportOptions {
  readonly policy: SsrfPolicy
  readonly lookup: Lookup
  readonly clock: Clock
  /** Connections at a time, kept ones included. Attempts beyond it are made all the same: bound them before. */
  readonly maxConnections: number
  /** Certificates in PEM, trusted beside those that Node trusts: the authority of a company's own network. */
  readonly ca?: readonly string[] | undefined
}
