/** The check of a URL when it is registered, as one call. Before each delivery the transport checks again. */
import { type Clock, systemClock } from 'svc-kernel'
import { within } from '../deadline/within.ts'
import { judgeUrl } from './judge-url.ts'
import { SsrfError } from './ssrf-error.ts'
import type { Lookup, SsrfPolicy } from './ssrf-policy.ts'
import { systemLookup } from './system-lookup.ts'
import { type CheckedTarget, UrlGuard } from './url-guard.ts'

/** Strict unless told: `https:` only, no internal address. */
export interface UrlCheckOptions extends Partial<SsrfPolicy> {
  /** How names are resolved; as the system does unless told. */
  readonly lookup?: Lookup | undefined
  /** How long a name may take, in milliseconds. 5000 unless told. */
  readonly deadlineMs?: number | undefined
  readonly clock?: Clock | undefined
}

/**
 * @returns the URL in its normal form and the checked addresses; none where `denyPrivateIps` is false, as the name is
 * not looked up then
 * @throws SsrfError (422, SVC_WEBHOOKS_URL_REFUSED), whose `reason` is one of a closed list. What cannot be decided is
 * refused: no such name, a resolver that fails, does not answer in time or answers rubbish.
 * @throws InvalidCidr (SVC_WEBHOOKS_BAD_CIDR) for an entry of `allowCidrs` that is not a network
 */
export async function assertUrlAllowed(given: string | URL, options: UrlCheckOptions = {}): Promise<CheckedTarget> {
  const text = given instanceof URL ? given.href : given
  const { lookup = systemLookup, deadlineMs = 5000, clock = systemClock } = options
  // Only what is said in so many words opens something: plain JavaScript may hand over undefined or null.
  const policy: SsrfPolicy = {
    allowHttp: options.allowHttp === true,
    denyPrivateIps: options.denyPrivateIps !== false,
    allowCidrs: options.allowCidrs ?? []
  }
  if (!policy.denyPrivateIps) return { url: judgeUrl(text, policy), addresses: [] }
  const guard = new UrlGuard(policy, lookup)
  return within(
    deadlineMs,
    clock,
    () => guard.check(text),
    () => new SsrfError('resolver')
  )
}
