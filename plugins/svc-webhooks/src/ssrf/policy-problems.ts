/** What is wrong with the settings of the guard, while the application boots. Pure. */
import type { Problem } from 'svc-kernel'
import { addressPolicy, canonicalAddress, isNeverOpened, type SsrfPolicy } from './address-policy.ts'

const MORE = 'npx svc docs webhook-endpoints'

/** Checks each entry of `allowCidrs` by itself. @returns a problem per entry that is no network, or that nothing opens */
export function networkProblems(allowCidrs: readonly string[], plugin = 'svc-webhooks'): Problem[] {
  return allowCidrs.flatMap((cidr, index) => {
    const expected = expectedInsteadOf(cidr)
    if (expected === null) return []
    return {
      code: 'SVC_WEBHOOKS_BAD_CIDR',
      message: 'an entry of allowCidrs cannot be opened',
      at: `${plugin}.allowCidrs[${index}]`,
      got: JSON.stringify(cidr),
      expected,
      fix: 'correct the entry, or remove it',
      more: MORE
    }
  })
}

/** @returns what would be right, or `null` where it is */
function expectedInsteadOf(cidr: string): string | null {
  try {
    addressPolicy({ denyPrivateIps: true, allowCidrs: [cidr] })
  } catch {
    return 'a network such as 10.20.0.0/16 or fd00::/8, written with its first address'
  }
  const first = canonicalAddress(cidr.split('/')[0] ?? '')
  if (first === null || !isNeverOpened(first)) return null
  return 'a network that is neither link-local nor a cloud metadata service, which stay closed'
}

/** @returns warnings for production: settings that do what they say, and that it hardly wants */
export function productionWarnings(
  { denyPrivateIps, allowHttp }: Omit<SsrfPolicy, 'allowCidrs'>,
  plugin = 'svc-webhooks'
): Problem[] {
  const problems: Problem[] = []
  if (!denyPrivateIps) {
    problems.push({
      code: 'SVC_WEBHOOKS_OPEN_NETWORK',
      message: 'webhooks can reach internal addresses, including cloud metadata services',
      at: `${plugin}.denyPrivateIps`,
      got: 'false',
      expected: 'true in production',
      fix: 'remove denyPrivateIps, and list your internal networks in allowCidrs',
      more: MORE
    })
  }
  if (allowHttp) {
    problems.push({
      code: 'SVC_WEBHOOKS_PLAIN_HTTP',
      message: 'webhooks can be sent over plain HTTP, where anyone on the network can read them',
      at: `${plugin}.allowHttp`,
      got: 'true',
      expected: 'false in production',
      fix: 'remove allowHttp, and register https URLs',
      more: MORE
    })
  }
  return problems
}
