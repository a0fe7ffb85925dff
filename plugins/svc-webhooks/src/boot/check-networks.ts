/** Checks `allowCidrs` while the application boots, each entry by itself, so that a problem can name its place. Pure. */
import type { Problem } from 'svc-kernel'
import { addressPolicy, isNeverOpened } from '../ssrf/address-policy.ts'
import { canonicalAddress } from '../ssrf/canonical-address.ts'

/** @returns a problem per entry that is not a network, or one that nothing opens */
export function networkProblems(allowCidrs: readonly string[]): Problem[] {
  return allowCidrs.flatMap((cidr, index) => {
    const expected = faultOf(cidr)
    return expected === null ? [] : [problemOf(cidr, index, expected)]
  })
}

/** @returns what would be right, or `null` where it is */
function faultOf(cidr: string): string | null {
  try {
    addressPolicy({ denyPrivateIps: true, allowCidrs: [cidr] })
  } catch {
    return 'a network such as 10.20.0.0/16 or fd00::/8, written with its first address'
  }
  const first = canonicalAddress(cidr.split('/')[0] ?? '')
  if (first === null || !isNeverOpened(first)) return null
  return 'a network other than link-local ones and those of the metadata of clouds, which stay closed'
}

function problemOf(cidr: string, index: number, expected: string): Problem {
  return {
    code: 'SVC_WEBHOOKS_BAD_CIDR',
    message: 'a network that webhooks are to reach cannot be opened',
    at: `svc-webhooks.allowCidrs[${index}]`,
    got: JSON.stringify(cidr),
    expected,
    fix: 'correct it, or remove it from allowCidrs',
    more: 'docs/guides/webhooks.md'
  }
}
